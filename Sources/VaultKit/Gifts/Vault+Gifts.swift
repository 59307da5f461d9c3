internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

extension Vault {
    /// The name of a secret whose own name is not shared.
    private static let namelessSecret = "secret"

    /// Shares a secret with a contact, in a sealed parcel.
    ///
    /// One commit reserves the message number of the session and records the gift; the parcel is sealed after that.
    ///
    /// - Throws: `gift` for a contact who was not compared or is suspicious; `unknownName`, `inTrash`, `unknownField`,
    ///   `noFields`; `malformedGift` for a note that is not a line of at most 500 bytes; `tooMuch` above 10,000 gifts; the
    ///   errors of `encrypt`.
    public func sendGift(_ request: GiftRequest) throws(VaultError) -> SentGift {
        let name = NameRules.normalized(request.name)
        return try sealParcel(for: request.contact) { act, contact in
            guard contact.isCompared || request.allowsUnverified else { throw GiftError.contactUnverified }
            let credential = try act.secrets.open(name)
            let given = try credential.given(fields: request.fields, includesTOTP: request.includesTOTP)
            let content = try given.content()
            let version = given.current.number
            // A different secret with this name needs a new gift. So does a version number that went back, or a latest
            // parcel with the highest possible time. The contact then keeps the copy of the old gift.
            let before = try act.gift(of: name, to: contact.peerID)
            let known = before.flatMap { known in
                known.isOfThis && known.gift.version <= version && act.hasMoment(after: known.gift)
                    ? known : nil
            }
            let id: [UInt8]
            if let known { id = known.gift.id } else { id = try act.newGift() }
            let made = act.moment(after: known?.gift)
            var gift = Gift(
                id: id,
                contact: contact.peerID,
                way: .out,
                secret: name,
                version: version,
                at: act.now,
                digest: Hash.sha256(content)
            )
            (gift.record, gift.made) = (try act.secrets.uid(of: name), made)
            try act.keep(gift, over: known?.revision ?? 0)
            let end = (request.expires ?? credential.expires).map { max($0, made) }
            let parcel = try Parcel(
                .give,
                gift: gift.id,
                version: version,
                made: made,
                end: end,
                name: name,
                note: request.note,
                content: content
            )
            return (parcel, name, given.current.fields.map(\.name))
        }
    }

    /// Asks a contact to remove a shared secret.
    ///
    /// The contact's copy goes to the trash, but nobody can make the contact forget the value. If the contact was not
    /// compared, or was paired again since, the parcel does not contain the secret's name, only the id of the gift.
    ///
    /// - Throws: `gift(.unknown)` for a secret that was not shared with the contact; the errors of `encrypt`.
    public func withdrawGift(_ name: String, from alias: String) throws(VaultError) -> SentGift {
        let name = NameRules.normalized(name)
        return try sealParcel(for: alias) { act, contact in
            guard let (gift, revision, _) = try act.gift(of: name, to: contact.peerID) else {
                throw GiftError.unknown
            }
            let made = act.moment(after: gift)
            var withdrawn = gift
            (withdrawn.withdrawnAt, withdrawn.made) = (act.now, made)
            try act.keep(withdrawn, over: revision)
            let parcel = try Parcel(
                .withdraw,
                gift: gift.id,
                version: gift.version,
                made: made,
                name: contact.isCompared ? name : Self.namelessSecret
            )
            return (parcel, name, [])
        }
    }

    /// The secrets shared with contacts and by contacts, by secret and contact.
    ///
    /// - Parameters:
    ///   - alias: only secrets shared with or by this contact; nil for all contacts.
    ///   - name: only the secret with this name; nil for all.
    /// - Returns: one summary for each gift; unreadable records are left out.
    /// - Throws: `unknownContact`.
    public func gifts(of alias: String? = nil, secret name: String? = nil) throws(VaultError) -> [GiftSummary]
    {
        var pairs: [String: String] = [:]
        if let alias { try asVaultError { pairs["contact"] = try book(.shown).named(alias).peerID.hex } }
        pairs["secret"] = name.map { NameRules.normalized($0) }
        let found = try reading { (reader) -> [GiftSummary] in
            var summaries: [GiftSummary] = []
            for (gift, _) in try reader.gifts(where: pairs) {
                let holder = try reader.info(Credential.self, gift.secret)
                let info = holder.flatMap { gift.isOf($0.uid) ? $0 : nil }
                // Another secret may have the name now, and that secret was not shared.
                if name != nil, holder != nil, info == nil { continue }
                let secret = info.map { CredentialSummary($0) }.flatMap { $0.removedAt == nil ? $0 : nil }
                summaries.append(
                    GiftSummary(
                        id: gift.id,
                        isMine: gift.way == .out,
                        // An unreadable contact has no name here.
                        contact: (try? reader.alias(of: gift.contact)) ?? nil,
                        peerID: gift.contact,
                        secret: gift.secret,
                        version: gift.version,
                        at: gift.at,
                        withdrawnAt: gift.withdrawnAt,
                        current: secret?.version
                    )
                )
            }
            return summaries
        }
        return found.sorted { ($0.secret, $0.contact ?? "", $0.at) < ($1.secret, $1.contact ?? "", $1.at) }
    }

    /// Reserves a message number for the parcel that `make` returns, and seals the parcel after the commit is durable.
    private func sealParcel(
        for alias: String,
        _ make: (inout GiftTransaction, Contact) throws -> (Parcel, secret: String, [String])
    ) throws(VaultError) -> SentGift {
        let reserved = try exchange(.sending([alias])) { act in
            let contact = try act.recipient(alias)
            let (parcel, secret, fields) = try make(&act, contact)
            return try act.reserve(parcel, of: secret, fields, for: contact)
        }
        return try asVaultError(reserved.seal)
    }
}

extension Contact {
    /// Whether the key is known to be this person's.
    ///
    /// It was compared or scanned from the person's own screen, and nothing since requires another comparison.
    package var isCompared: Bool {
        (trust == .verified || trust == .scanned) && !isRepaired && !isUncompared
    }
}
