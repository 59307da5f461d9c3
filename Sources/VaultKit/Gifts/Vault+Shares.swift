internal import Credentials
internal import HSIP
internal import RecordStore
internal import VaultCrypto

extension Vault {
    /// Seals a share of a recovery secret for the contact who is to hold it; the vault remembers that they have one, and
    /// none of its words.
    ///
    /// - Throws: `gift(.contactUnverified)` for a contact who was not compared, whatever was asked for: with others, who
    ///   holds a share opens the vault; `malformedGift` for what are not twenty words; what `sendGift` throws besides.
    func sendShare(_ words: Secret, _ request: GiftRequest) throws(VaultError) -> SentGift {
        let name = NameRules.normalized(request.name)
        return try sealParcel(for: request.contact) { (act, contact) throws(VaultError) in
            guard contact.isCompared else { throw .gift(.contactUnverified) }
            var gift = Gift(
                id: try act.newGift(),
                contact: contact.peerID,
                way: .out,
                secret: name,
                version: 1,
                at: act.now,
                digest: Gift.noDigest
            )
            (gift.record, gift.made) = (Gift.noRecord, act.now)
            try act.keep(gift, over: 0)
            let parcel = try caught { () throws(CredentialError) in
                try Parcel(
                    .share,
                    gift: gift.id,
                    version: 1,
                    made: act.now,
                    name: name,
                    note: request.note,
                    content: words
                )
            }
            return (parcel, [])
        }
    }
}
