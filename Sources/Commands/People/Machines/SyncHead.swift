internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import SharedLog
internal import VaultKit

/// `hsip sync head`.
struct SyncHead: Command {
    static let path = "sync head"
    static let configuration = CommandConfiguration(
        commandName: "head",
        abstract: "Check that two machines have the same history.",
        discussion: """
            A server that shows your machines two different histories is found out by this. Without an \
            argument hsip shows a HEAD code and twelve digits. Read them from the other machine's own screen.

              hsip sync head
              hsip sync head 123 456 789 012
            """
    )

    @Argument(help: "The HEAD code or the digits of the other machine.")
    var shown: [String] = []

    @OptionGroup(title: "Where the code goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        let own = try await Self.own(vault)
        let text = shown.joined(separator: " ")
        guard text.isEmpty else { return try await Self.compare(text, own, context, vault) }
        let given = try delivery.deliver(text: own.text)
        defer { given.end() }
        let number = try own.number().text
        context.output.say("Digits: \(number), at entry \(own.place)")
        try context.output.succeed([
            "code": .text(own.text), "number": .text(number), "place": .integer(own.place),
        ])
    }

    /// The newest entry that this machine accepted.
    private static func own(_ vault: any VaultService) async throws -> HeadCode {
        guard let state = try await vault(Operations.logState), let head = state.head, let log = state.log
        else {
            throw LogError(.noLog)
        }
        return try HeadCode(logID: log, place: head.place, hash: head.hash)
    }

    private static func compare(
        _ text: String,
        _ own: HeadCode,
        _ context: Context,
        _ vault: any VaultService
    ) async throws {
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        if digits.count == 12, digits.allSatisfy(\.isASCIIDigit) {
            guard try own.number().matches(digits) else {
                throw Failure(
                    .numberDiffers,
                    "entry \(own.place) has other digits: the machines differ, or one has not synced yet",
                    hint: "hsip sync"
                )
            }
            return try tell(own, context)
        }
        guard case .head(let other) = try CodeText.machineCode(in: Array(text.utf8)) else {
            throw HSIPError.malformed
        }
        try await compare(other, context, vault)
    }

    /// Compares the history of this machine with the history of another machine.
    ///
    /// - Throws: `logForked` for another history; `headAhead` if the other machine has a later entry; `malformed` for a
    ///   code of another log.
    static func compare(_ other: HeadCode, _ context: Context, _ vault: any VaultService) async throws {
        let own = try await own(vault)
        guard other.logID == own.logID else {
            throw Failure(.malformed, "this code is of another shared log", hint: "hsip sync head")
        }
        guard other.place <= own.place else { throw LogError(.headAhead, at: other.place) }
        let hash = try await SyncRun(context, vault).hash(at: other.place, before: own)
        guard hash == other.hash else { throw LogError(.logForked, at: other.place) }
        try tell(other, context)
    }

    private static func tell(_ head: HeadCode, _ context: Context) throws {
        context.output.say("Both machines have the same history up to entry \(head.place).")
        try context.output.succeed([
            "code": .text(head.text), "number": .text(try head.number().text),
            "place": .integer(head.place),
        ])
    }
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
