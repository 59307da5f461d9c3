internal import ArgumentParser
internal import Presentation
internal import VaultKit

/// `hsip setup sync join`.
struct SetupSyncJoin: Command {
    static let path = "setup sync join"
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Show the code by which this machine joins another.",
        discussion: """
            Accept the code on a machine that shares its vault already, and type there the twelve digits \
            that this machine shows.

              hsip setup sync join
            """
    )

    @Option(help: ArgumentHelp("The name of this machine (default: the host's name).", valueName: "name"))
    var name: String?

    @OptionGroup(title: "Where the code goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        let state = try await vault(Operations.logState)
        let machine = name ?? (state?.stage == .asked ? state?.name : nil) ?? OwnMachine.name
        let shown = try await vault(Operations.joinLog, machine)
        context.hasChanged = true
        let given = try delivery.deliver(text: shown.code)
        defer { given.end() }
        context.output.say("Digits: \(shown.number)")
        context.output.say(
            "On a machine that shares its vault, run hsip accept with this code and type these digits. Valid for 15 minutes."
        )
        try context.output.succeed([
            "code": .text(shown.code), "number": .text(shown.number), "name": .text(machine),
        ])
    }
}
