package import HSIP
package import VaultKit

/// The contacts behind a refusal: the details of an error in the JSON output (Schemas/cli/envelope.schema.json),
/// looked up in the vault.
///
/// Details that cannot be determined are left out.
package struct PeopleDetails: Sendable {
    package let vault: any VaultService
    /// The contact of the operation.
    package let alias: String?
    /// The code that was to be accepted.
    package let code: ExchangeCode?
    /// The requested name of a new contact.
    package let wantedName: String?
    /// Unix seconds.
    package let now: Int64

    package init(
        _ vault: any VaultService,
        about alias: String? = nil,
        code: ExchangeCode? = nil,
        wantedName: String? = nil,
        now: Int64
    ) {
        self.vault = vault
        self.alias = alias
        self.code = code
        self.wantedName = wantedName
        self.now = now
    }

    /// Returns the details of an error; null if it has none.
    package func of(_ reason: HSIPError) async -> JSONValue {
        switch reason {
        case .revoked: await ending().map { Self.ending($0.end) } ?? .null
        case .identityChanged(let old, let new): await change(old, new)
        case .suiteDowngrade(let peer?): ["contact": .optional(await name(of: peer) ?? alias)]
        case .identityKnown(let peer): ["contact": .optional(await name(of: peer) ?? alias)]
        case .nameCollision(let existing, let new): await collision(existing, new)
        case .clockSuspect:
            [
                "behindSeconds": .integer(
                    max(0, Int64(clamping: (try? await vault.clockMark().mark) ?? 0) - now)
                )
            ]
        case .replayed: ["firstReadAt": .null]
        case .ambiguousName:
            [
                "name": .optional(alias),
                "peerIds": .texts(await peers(called: alias).map(\.text)),
            ]
        default: Self.known(reason)
        }
    }

    /// Returns the details that the error itself has.
    package static func known(_ reason: HSIPError) -> JSONValue {
        switch reason {
        case .rekeyRequired(let code), .restored(let code): ["code": .optional(code)]
        case .codeFromFuture(let seconds): ["aheadSeconds": .integer(seconds)]
        case .offerAlreadyUsed(let peer):
            ["sameIdentity": .bool(peer == nil), "peerId": .optional(peer?.text)]
        default: .null
        }
    }

    /// Returns the alias of a known contact.
    package func name(of peer: PeerID) async -> String? {
        (try? await vault(Operations.aliasOf, peer)) ?? nil
    }

    /// Returns a free alias similar to a name that another contact has, even in the trash: `alice-2`.
    package func freeAlias(like name: String) async -> String {
        let living = (try? await vault(Operations.contacts, .kept)) ?? []
        let removed = (try? await vault(Operations.contacts, .trash)) ?? []
        return Alias.free(like: name, taken: Set((living + removed).map(\.alias)).union([name]))
    }

    /// Returns who ended the session, when and why, and with which contact; nil if it has not ended.
    package func ending() async -> (end: Contact.End, name: String?)? {
        if let alias, let end = (try? await vault(Operations.ending, alias)) ?? nil { return (end, alias) }
        guard let code, let found = (try? await vault.ending(namedBy: code)) ?? nil else { return nil }
        return (found.end.end, found.alias)
    }

    /// Returns both numbers that two people would compare: for the pinned key, and for the offered key.
    package func numbers(of name: String) async -> (pinned: String?, offered: String?) {
        let pinned = try? await vault(Operations.comparison, name).number.text
        guard let code else { return (pinned, nil) }
        return (pinned, try? await vault(Operations.safetyNumber, code).text)
    }

    private static func ending(_ end: Contact.End) -> JSONValue {
        [
            "endedBy": end.byPeer ? "peer" : "me", "endedAt": .time(end.at),
            "reason": .text(end.reason.word),
        ]
    }

    private func change(_ old: PeerID, _ new: PeerID) async -> JSONValue {
        guard let name = await name(of: old) ?? alias else { return .null }
        let (pinned, offered) = await numbers(of: name)
        return [
            "contact": .text(name), "oldPeerId": .text(old.text), "newPeerId": .text(new.text),
            "oldSafetyNumber": .optional(pinned), "newSafetyNumber": .optional(offered),
        ]
    }

    private func collision(_ existing: PeerID, _ new: PeerID) async -> JSONValue {
        guard let name = await name(of: existing) ?? wantedName else { return .null }
        return [
            "name": .text(name), "existingPeerId": .text(existing.text), "newPeerId": .text(new.text),
            "proposal": .text(await freeAlias(like: name)),
        ]
    }

    private func peers(called alias: String?) async -> [PeerID] {
        ((try? await vault(Operations.contacts, .kept)) ?? []).filter { $0.alias == alias }.map(
            \.contact.peerID
        )
    }
}

extension Notice {
    /// The name for scripts (Schemas/warnings.json).
    package var code: String {
        if case .repairedNotReverified = self { "notVerified" } else { name }
    }

    /// Returns further members for scripts; the contact is that of the operation.
    package func members(about alias: String?, _ peerID: PeerID?) -> JSONValue {
        switch self {
        case .rekeySoon(let remaining, _): ["remaining": .integer(remaining)]
        case .limitReached(let code): ["nextCode": .optional(code)]
        case .suspicious, .notComparedSinceRestore, .repairedNotReverified, .notPostQuantum,
            .perhapsOldProgram:
            ["contact": .optional(alias)]
        case .nameLooksAlike(let other):
            [
                "contact": .optional(alias), "peerId": .optional(peerID?.text),
                "otherPeerId": .text(other.text),
            ]
        case .openOffers(let count): ["count": .integer(count)]
        case .carries(let kind): ["kind": .text(kind.hrp)]
        case .unconfirmed, .unconfirmedLate, .readableAfterAccept, .alreadyPaired, .alreadyDone,
            .peerCatchingUp, .ownMessage, .mayHaveBeenReadBefore, .counterUnreliable:
            [:]
        }
    }
}
