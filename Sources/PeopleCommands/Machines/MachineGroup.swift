package import ArgumentParser
internal import CommandKit
internal import Console
internal import SafeText
internal import SharedLog
internal import VaultKit

/// `hsip machine`: the machines that share this vault.
package struct MachineGroup: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "machine",
        abstract: "Show the machines that share this vault.",
        subcommands: [MachineList.self],
        defaultSubcommand: MachineList.self
    )

    package init() {}
}

/// `hsip machine [list]`.
struct MachineList: Command {
    static let path = "machine list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the machines that share this vault.",
        discussion: """
              hsip machine
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        guard let state = try await vault(Operations.logState) else { throw LogError(.noLog) }
        var table = Table([
            Column("name", .left, .whole), Column("role"), Column("added"), Column("last change"), Column(""),
        ])
        for machine in state.machines {
            let added = machine.added.map { Int64(clamping: $0) }
            table.add([
                Cell(own: machine.name, context.output.display), Cell(machine.role),
                added.map { Cell(Times.date($0), value: Times.rfc3339($0)) } ?? Cell("", value: ""),
                machine.lastChange.map { Cell(relative: $0, now: context.now) } ?? Cell("never", value: ""),
                Cell(machine.isThis ? "this machine" : machine.role == "reader" ? "reads only" : ""),
            ])
        }
        try context.list(table, empty: "this machine has not joined yet", hint: "hsip accept")
        try context.output.succeed(["machines": .list(state.machines.map { .machine($0) })])
    }
}

extension JSONValue {
    /// A machine (Schemas/cli/machine.schema.json).
    static func machine(_ machine: MachineSummary) -> JSONValue {
        [
            "name": .text(machine.name), "role": .text(machine.role), "thisMachine": .bool(machine.isThis),
            "added": .time(machine.added.map { Int64(clamping: $0) }),
            "lastChange": .time(machine.lastChange.map { Int64(clamping: $0) }),
        ]
    }
}
