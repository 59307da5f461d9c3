internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

extension Vault {
    /// Seals shares of a recovery secret, one for each contact.
    ///
    /// One commit has the message numbers of the sessions, the record of the holders, and the parcels. So either all shares
    /// are sent or none.
    ///
    /// - Throws: `gift(.contactUnverified)` for a contact who was not compared, because the holders of shares can open the
    ///   vault together; `nameTaken` if shares with this identifier exist; `malformedGift` unless a share has twenty words,
    ///   and for a repeated contact; `tooMuch` above 10,000 gifts; the errors of `encrypt`. After an error nothing is sent.
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
                // The parcel is stored with its message number, and may be sent after both are durable.
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

    /// Lists which contacts have which shares.
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

    /// Returns the parcel of a contact's share as it was sealed, to replace a parcel that was lost.
    ///
    /// - Throws: `unknownContact`; `gift(.unknown)` if no such share was sent to the contact.
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

    /// Forgets the parcels of shares that no longer open anything.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the shares; if there are none, nothing happens.
    ///   - areHeld: whether a parcel may have been sent; then the vault keeps the gift records of the holders.
    /// - Throws: the errors of reading and writing the vault.
    public func forgetShares(_ identifier: UInt16, areHeld: Bool) throws(VaultError) {
        try exchange(.identity) { act in
            try act.forgetShares(identifier, areHeld: areHeld)
        }
    }
}

extension GiftTransaction {
    /// Makes the parcel of a share, and adds its gift record.
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
