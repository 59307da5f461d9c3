internal import HSIP
internal import Secrets
internal import VaultCrypto

/// A parcel with a reserved message number; it may be sealed and sent after the number is durable.
struct ReservedParcel {
    private let parcel: Parcel
    private let plaintext: Secret
    private let outcome: Outcome
    private let contact: String
    private let secret: String
    private let fields: [String]

    fileprivate init(
        _ parcel: Parcel,
        _ plaintext: Secret,
        _ outcome: Outcome,
        contact: String,
        secret: String,
        fields: [String]
    ) {
        (self.parcel, self.plaintext, self.outcome) = (parcel, plaintext, outcome)
        (self.contact, self.secret, self.fields) = (contact, secret, fields)
    }

    /// Seals the parcel.
    ///
    /// - Throws: `noSession`; the errors of sealing.
    func seal() throws -> SentGift {
        guard case .reserved(let reserved) = outcome.product, let key = reserved.fileKey else {
            throw HSIPError.noSession
        }
        return SentGift(
            parcel: try SealedParcel(sealing: plaintext, keyMessage: reserved.seal(key), key: key).bytes,
            contact: contact,
            secret: secret,
            version: parcel.version,
            fields: fields,
            expires: parcel.end,
            sent: reserved.sent,
            limit: reserved.limit,
            endsAt: reserved.endsAt,
            notices: outcome.notices
        )
    }
}

extension GiftTransaction {
    /// The contact, if a secret may be shared with it.
    ///
    /// - Throws: `unknownContact`, `revoked`; `gift(.contactSuspicious)`; `notVerified`.
    func recipient(_ alias: String) throws -> Contact {
        let contact = try book.named(alias)
        guard contact.trust != .revoked else { throw HSIPError.revoked }
        guard contact.trust != .suspicious else { throw GiftError.contactSuspicious }
        guard contact.isVerified || !contact.requiresVerification else { throw VaultError.notVerified }
        return contact
    }

    /// Reserves a message number of the session for a parcel.
    mutating func reserve(
        _ parcel: Parcel,
        of secret: String,
        _ fields: [String],
        for contact: Contact
    ) throws -> ReservedParcel {
        let plaintext = try parcel.plaintext()
        var digest = FileDigest()
        digest.add(plaintext)
        let event = Event.sendFileKey(contact.peerID, digest: digest.finish(isWhole: true), for: .parcel)
        return ReservedParcel(
            parcel,
            plaintext,
            try reduce(event),
            contact: contact.alias,
            secret: secret,
            fields: fields
        )
    }
}
