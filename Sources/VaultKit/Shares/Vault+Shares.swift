internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

extension Vault {
    /// Seals shares of a recovery secret, one for each contact.
    ///
    /// The numbers of their sessions, the record of who has a share, and the parcels themselves are one commit, so that
    /// either all are sent or none.
    ///
    /// - Throws: `gift(.contactUnverified)` for a contact who was not compared, since holders of shares can together open
    ///   the vault; `nameTaken` if shares with this identifier exist; `malformedGift` for other than twenty words, and for
    ///   a contact who is named twice; `tooMuch` above 10,000 gifts; what `encrypt` throws. Nothing is sent then.
    public func sendShares(_ request: ShareRequest) throws(VaultError) -> [SentGift] {
        let name = NameRules.normalized(request.name)
        let aliases = request.holders.map(\.contact)
        guard (1...SharesRecord.maximum).contains(aliases.count), Set(aliases).count == aliases.count else {
            throw .secret(.malformedGift)
        }
        return try exchange(.sending(aliases)) { act in
            guard try !act.hasShares(request.identifier) else { throw CredentialError.nameTaken }
            var record = SharesRecord(request, named: name, at: act.now)
            var sent: [SentGift] = []
            for holder in request.holders {
                let contact = try act.recipient(holder.contact)
                guard contact.isCompared else { throw GiftError.contactUnverified }
                guard !record.holders.contains(where: { $0.peerID == contact.peerID }) else {
                    throw CredentialError.malformedGift
                }
                let parcel = try act.share(holder.words, of: record, request.holders.count, for: contact)
                // It is kept with its number, and leaves when both are durable.
                let sealed = try act.reserve(parcel, of: name, [], for: contact).seal()
                record.holders.append(
                    SharesRecord.Holder(peerID: contact.peerID, gift: parcel.gift, parcel: sealed.parcel)
                )
                sent.append(sealed)
            }
            try act.keep(record)
            return sent
        }
    }

    /// Which shares went to which contacts.
    public func shares() throws(VaultError) -> [SharesSummary] {
        let book = try book(.shown)
        return try reading { reader in
            var summaries: [SharesSummary] = []
            for shares in try reader.shares() {
                var holders: [SharesSummary.Holder] = []
                for holder in shares.holders {
                    holders.append(
                        SharesSummary.Holder(
                            contact: book.contacts[holder.peerID]?.alias,
                            peerID: holder.peerID,
                            withdrawnAt: (try? reader.gift(holder.gift))?.gift.withdrawnAt
                        )
                    )
                }
                summaries.append(
                    SharesSummary(
                        name: shares.name,
                        identifier: shares.identifier,
                        threshold: shares.threshold,
                        at: shares.at,
                        holders: holders
                    )
                )
            }
            return summaries
        }
    }

    /// The parcel of a contact's share, as it was sealed; it replaces a parcel that was lost on the way.
    ///
    /// - Throws: `unknownContact`; `gift(.unknown)` where they were sent none.
    public func shareParcel(_ identifier: UInt16, for alias: String) throws(VaultError) -> [UInt8] {
        let peerID = try book(.shown).named(alias).peerID
        return try reading { reader in
            let found = try reader.shares().first { $0.identifier == identifier }
            guard let holder = found?.holders.first(where: { $0.peerID == peerID }) else {
                throw GiftError.unknown
            }
            return holder.parcel
        }
    }

    /// Forgets the parcels of shares that open nothing any more.
    ///
    /// - Parameters:
    ///   - identifier: which shares; if there are none, nothing happens.
    ///   - areHeld: whether a parcel of them may have left: then who has one stays remembered, as a gift.
    /// - Throws: what reading and writing the vault throws.
    public func forgetShares(_ identifier: UInt16, areHeld: Bool) throws(VaultError) {
        try exchange(.identity) { act in
            try act.forgetShares(identifier, areHeld: areHeld)
        }
    }
}

extension GiftTransaction {
    /// A share as a parcel, and what is remembered of it.
    fileprivate mutating func share(
        _ words: Secret,
        of shares: SharesRecord,
        _ count: Int,
        for contact: Contact
    ) throws -> Parcel {
        var gift = Gift(
            id: try newGift(),
            contact: contact.peerID,
            way: .out,
            secret: shares.name,
            version: 1,
            at: now,
            digest: Gift.noDigest
        )
        (gift.record, gift.made) = (Gift.noRecord, now)
        try keep(gift, over: 0)
        return try Parcel(
            .share,
            gift: gift.id,
            version: 1,
            made: now,
            name: shares.name,
            note: "\(shares.threshold) of \(count)",
            content: words
        )
    }
}
