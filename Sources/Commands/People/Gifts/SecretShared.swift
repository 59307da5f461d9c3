package import ArgumentParser
internal import HSIP
internal import Presentation
internal import Secrets
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// `hsip secret shared [--of CONTACT]`.
package struct SecretShared: Command {
    package static let path = "secret shared"
    package static let configuration = CommandConfiguration(
        commandName: "shared",
        abstract: "List the secrets you shared with contacts and received.",
        discussion: """
              hsip secret shared
              hsip secret shared --of bob
            """
    )

    @Option(
        name: .customLong("of"),
        help: ArgumentHelp("Only the secrets shared with this contact.", valueName: "contact"),
        completion: .contacts
    )
    var contact: String?

    package init() {}

    package func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        var alias: String?
        if let contact { alias = try await ContactNames(context, vault).resolve(contact).alias }
        let gifts = try await vault(Operations.gifts, alias, nil)
        let display = context.output.display
        let columns = [
            Column("secret"), Column("way", .left, .whole), Column("contact"),
            Column("version", .left, .whole), Column("state", .left, .whole, spare: 1),
        ]
        let rows = gifts.map { gift in
            [
                Cell(own: gift.secret, display), Cell(gift.isMine ? "to" : "from"),
                Cell(own: gift.contact ?? gift.peerID.text, display), Cell(String(gift.version)),
                Cell(state(gift)),
            ]
        }
        try context.list(Table(columns, rows: rows), empty: "no secrets were sent or received")
        try context.output.succeed(["gifts": .list(gifts.map(Self.json))])
    }

    private static func json(_ gift: GiftSummary) -> JSONValue {
        [
            "name": .text(gift.secret), "way": gift.isMine ? "out" : "in",
            "contact": .optional(gift.contact), "peerId": .text(gift.peerID.text),
            "version": .integer(gift.version), "currentVersion": .optional(gift.current),
            "at": .time(gift.at), "withdrawnAt": .time(gift.withdrawnAt),
        ]
    }

    private func state(_ gift: GiftSummary) -> String {
        if gift.withdrawnAt != nil { return "withdrawn" }
        guard let current = gift.current else {
            return gift.isMine && Sharing(label: gift.secret) != nil ? "a share" : "gone here"
        }
        return gift.isOutdated ? "version \(current) here" : ""
    }
}
