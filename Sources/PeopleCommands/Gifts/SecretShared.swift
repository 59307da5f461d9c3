package import ArgumentParser
package import CommandKit
internal import Console
internal import Credentials
internal import HSIP
internal import SafeText
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
        var table = Table([
            Column("secret"), Column("way", .left, .whole), Column("contact"),
            Column("version", .left, .whole), Column("state", .left, .whole, spare: 1),
        ])
        for gift in gifts {
            table.add([
                Cell(own: gift.secret, display), Cell(gift.isMine ? "to" : "from"),
                Cell(own: gift.contact ?? gift.peerID.text, display), Cell(String(gift.version)),
                Cell(state(gift)),
            ])
        }
        try context.list(table, empty: "no secrets were sent or received")
        try context.output.succeed(.gifts(gifts))
    }

    private func state(_ gift: GiftSummary) -> String {
        if gift.withdrawnAt != nil { return "withdrawn" }
        guard let current = gift.current else {
            return gift.isMine && Sharing(label: gift.secret) != nil ? "a share" : "gone here"
        }
        return gift.isOutdated ? "version \(current) here" : ""
    }
}

extension JSONValue {
    /// `secret send`, `secret withdraw`.
    static func sentGift(_ sent: SentGift, file: String?) -> JSONValue {
        let text = (try? SealedParcel(bytes: sent.parcel)).flatMap { try? ParcelText.write($0) }
        return [
            "text": .optional(text.map { String(decoding: $0, as: UTF8.self) }),
            "outputFile": .optional(file),
            "contact": .text(sent.contact),
            "name": .text(sent.secret),
            "version": .integer(Int64(sent.version)),
            "fields": .list(sent.fields.map { .text($0) }),
            "expiresAt": .time(sent.expires.map { Int64($0) }),
            "sent": .integer(Int64(sent.sent)),
            "limit": .integer(Int64(sent.limit)),
            "keyExpiresAt": .time(Int64(sent.endsAt)),
        ]
    }

    /// `secret receive`, and `accept` of a secret.
    static func takenGift(_ taken: TakenGift) -> JSONValue {
        [
            "act": .text(taken.act.rawValue),
            "name": .text(taken.name),
            "givenName": .text(taken.givenName),
            "type": .optional(taken.kind?.word),
            "fields": .list(taken.fields.map { .text($0) }),
            "version": .integer(Int64(taken.version)),
            "expiresAt": .time(taken.expires.map { Int64($0) }),
            "note": .optional(taken.note),
            "share": .bool(taken.isShare),
            "contact": .text(taken.contact),
            "peerId": .text(taken.peerID.text),
            "verified": .bool(taken.isVerified),
        ]
    }

    /// `secret shared`.
    static func gifts(_ gifts: [GiftSummary]) -> JSONValue {
        [
            "gifts": .list(
                gifts.map { gift in
                    [
                        "name": .text(gift.secret),
                        "way": .text(gift.isMine ? "out" : "in"),
                        "contact": .optional(gift.contact),
                        "peerId": .text(gift.peerID.text),
                        "version": .integer(Int64(gift.version)),
                        "currentVersion": gift.current.map { .integer(Int64($0)) } ?? .null,
                        "at": .time(Int64(gift.at)),
                        "withdrawnAt": .time(gift.withdrawnAt.map { Int64($0) }),
                    ]
                }
            )
        ]
    }
}
