internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

extension Vault {
    /// Accepts a secret from a contact; opening the parcel, the secret and the gift record are one commit.
    ///
    /// After an error nothing is stored, and the parcel can still be opened.
    ///
    /// - Throws: `malformedGift`, `ownGift`, `replayed`, and the other errors of `decrypt`; `revoked` and
    ///   `gift(.contactSuspicious)` for a contact whose gifts are refused; `gift(.unknown)` for a withdrawal of a gift that
    ///   this contact never sent; `gift(.ofAnother)`; `changedMeanwhile` for a copy that was changed here; `nameTaken`,
    ///   `badName`, `kindDiffers`; `tooMuch` above 10,000 gifts.
    public func takeGift(_ acceptance: GiftAcceptance) throws(VaultError) -> ReceivedGift {
        try take(acceptance, isTrial: false)
    }

    /// Returns the result that `takeGift` would have; writes nothing, and the parcel stays unopened.
    public func tryGift(_ acceptance: GiftAcceptance) throws(VaultError) -> ReceivedGift {
        try take(acceptance, isTrial: true)
    }

    private func take(_ acceptance: GiftAcceptance, isTrial: Bool) throws(VaultError) -> ReceivedGift {
        guard (1...GiftAcceptance.maximumReadings).contains(acceptance.readings.count) else {
            throw .hsip(.malformedGift)
        }
        let readings = try asVaultError { try acceptance.readings.map { try SealedParcel(bytes: $0) } }
        // The readings differ only in their ends.
        let envelope = readings[0].header.keyMessage
        guard readings.allSatisfy({ $0.header == readings[0].header }) else { throw .hsip(.malformedGift) }
        return try exchange(.reading(envelope, from: nil), isTrial: isTrial) { act in
            let outcome = try act.reduce(.read(envelope, ReadRequest(purpose: .parcelKey)))
            guard case .opened(let opened) = outcome.product else { throw HSIPError.ownGift }
            guard let contact = act.book.contacts[opened.sender] else { throw HSIPError.unknownSender }
            guard contact.trust != .revoked else { throw HSIPError.revoked }
            guard contact.trust != .suspicious else { throw GiftError.contactSuspicious }
            let plaintext = try Self.plaintext(of: readings, opened.plaintext)
            let parcel = try Parcel(plaintext: plaintext)
            var taking = ParcelAcceptance(parcel, from: contact, acceptance)
            let (result, name) = try taking.run(&act)
            return ReceivedGift(
                act: result,
                name: name,
                givenName: parcel.name,
                kind: taking.given?.kind,
                fields: taking.given?.current.fields.map(\.name) ?? [],
                version: parcel.version,
                expires: parcel.end,
                note: parcel.note,
                isShare: parcel.act == .share,
                contact: contact.alias,
                peerID: contact.peerID,
                isVerified: contact.isVerified,
                notices: outcome.notices
            )
        }
    }

    /// Opens the content of the first reading that fits the key.
    private static func plaintext(of readings: [SealedParcel], _ key: Secret) throws -> Secret {
        for parcel in readings {
            do { return try parcel.open(key: key) } catch HSIPError.cannotOpen { continue }
        }
        throw HSIPError.cannotOpen
    }
}
