internal import ArgumentParser
internal import Commands
internal import Presentation
internal import System
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// `hsip machine`: the machines that share this vault.
struct MachineGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine",
        abstract: "Manage the machines that share this vault.",
        discussion: """
              hsip machine
              hsip machine revoke desktop
            """,
        subcommands: PeopleFeature.machineParts + [MachinePaper.self],
        defaultSubcommand: PeopleFeature.machineParts.first
    )
}

/// `hsip machine paper`.
struct MachinePaper: Command {
    static let path = "machine paper"
    static let configuration = CommandConfiguration(
        commandName: "paper",
        abstract: "Make a recovery code for the day all machines are gone.",
        discussion: """
            Anyone who has this code and can read the shared log can read everything that is shared. It \
            is not the recovery code of a vault.

              hsip machine paper
            """
    )

    @Option(help: ArgumentHelp("The name in the list of machines.", valueName: "name"))
    var name = "paper"

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the code to this file, not the screen.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    func run(_ context: Context) async throws {
        let file = NewFile.named(output)
        if let file, Path.exists(file) { throw NewFile.taken(file, "-o") }
        let machine = try await PaperMachine(name, context)
        let code = try NewRecoveryCode()
        try context.handOver(nil, code, to: file, remark: "reads the shared log")
        let line = try await machine.add(code.secret)
        let shown = context.output.display.cell(machine.name)
        context.output.say("Added the machine \(shown). Write this line on the paper, too:")
        context.output.say(line)
        if machine.address.first == "etcd" {
            context.output.say("Keep the file of etcd's authority and the login of a user with the paper.")
        }
        try context.output.succeed([
            "machine": .text(machine.name), "address": .text(machine.address.last ?? ""), "line": .text(line),
            "outputFile": try file.map { .text(try AbsolutePath.of($0)) } ?? .null,
        ])
    }
}
