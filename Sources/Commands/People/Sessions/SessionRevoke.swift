internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// `hsip session revoke NAME`.
struct SessionRevoke: Command {
    static let path = "session revoke"
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End every session with a contact for good.",
        discussion: """
            hsip prints one notice, then wipes the keys. The contact's program ends the sessions when it \
            accepts the notice.

              hsip session revoke bob --reason lost > notice.txt
            """
    )

    /// The reason that the notice gives.
    enum Reason: String, CaseIterable, ExpressibleByArgument {
        case lost, compromised, ended

        var reason: RevokeReason {
            switch self {
            case .lost: .lostDevice
            case .compromised: .compromised
            case .ended: .ended
            }
        }
    }

    @Argument(help: "The contact.", completion: .contacts)
    var name: String

    @Option(help: ArgumentHelp("The reason that the notice gives.", valueName: "why"))
    var reason: Reason?

    @OptionGroup(title: "Where the notice goes")
    var delivery: DeliveryOptions

    func run(_ context: Context) async throws {
        let delivery = CodeDelivery(context, delivery.places)
        try delivery.check()
        let vault = try await context.openVault()
        let before = try await ContactNames(context, vault).resolve(name, exactly: true)
        let alias = before.alias
        let why = reason?.reason ?? .none
        try await context.explaining(vault, about: alias) {
            guard !before.sessions.isEmpty else {
                throw VaultError.hsip(before.sessionState == nil ? .noSession : .revoked)
            }
            try EndNotice.ask(about: alias, context)
            let offers = try await vault.openOffers().count { $0.contact == alias }
            let reply = try await vault(Operations.revokeSessions, alias, why)
            let notice = try EndNotice.deliver(reply.code, of: alias, context, delivery)
            context.output.tell(reply.notices, about: alias)
            await context.tellGiven(to: alias, vault)
            let now = try await vault(Operations.contact, alias)
            try context.output.succeed([
                "contact": .text(now.alias), "peerId": .text(now.contact.peerID.text),
                "reason": .text(why.word), "notice": notice,
                "endedPairings": .integer(before.sessions.count), "closedOffers": .integer(offers),
            ])
        }
    }
}

/// The notice that ends the sessions with a contact.
enum EndNotice {
    /// Asks before all sessions with a contact end.
    ///
    /// - Throws: `refused`.
    static func ask(about alias: String, _ context: Context) throws {
        let shown = context.output.display.name(alias)
        guard try context.agrees("End every session with \(shown)? This cannot be undone.") else {
            throw ConsoleError.refused
        }
    }

    /// Prints the notice, or why it could not be made; returns its JSON.
    static func deliver(
        _ code: ExchangeCode?,
        of alias: String,
        _ context: Context,
        _ delivery: CodeDelivery
    ) throws -> JSONValue {
        guard let code else {
            context.output.note("there was no key left that could tell them so")
            return .null
        }
        return try delivery.hand(code, to: alias, isCached: false)
    }
}
