internal import VaultCrypto

extension Book {
    /// Marks a contact as verified, because safety number or emoji matched.
    mutating func markVerified(
        _ id: PeerID,
        by how: Contact.Verification,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        var contact = try contact(id)
        guard contact.trust != .revoked else { throw .identityRevoked }
        guard contact.identityKey != nil else { throw .noSession }
        contact.trust = .verified
        contact.verification = how
        contact.verifiedAt = moment.effective
        contact.isUncompared = false
        // Number and VERIFY cover only identities: after pairing again with a stolen key, they would match too.
        if how == .emoji { contact.isRepaired = false }
        put(contact)
        return Outcome(.verifyMatched, contact: id)
    }

    /// My VERIFY code for a contact; with only public values, it is proof only on my own screen.
    public func verifyCode(for id: PeerID) throws(HSIPError) -> VerifyCode {
        guard let key = try contact(id).identityKey else { throw .noSession }
        return try VerifyCode(senderKey: identity.publicKey, receiverKey: key)
    }

    /// The safety number with a contact: 60 digits, the same on both sides, stable for both identities.
    public func safetyNumber(with id: PeerID) throws(HSIPError) -> SafetyNumber {
        guard let key = try contact(id).identityKey else { throw .noSession }
        return try SafetyNumber(identity.publicKey, key)
    }

    /// Accepts a VERIFY.
    ///
    /// Trust rises only if the user read the code from the person's own screen (`isInPerson`): anyone can make the code
    /// from public data.
    mutating func take(
        _ code: VerifyCode,
        _ request: CodeOptions,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        let mine = try fingerprint(of: identity.publicKey)
        guard !ConstantTime.equal(code.senderFingerprint, mine) else { throw .selfPairing }
        let asked = if let id = request.contact { [try contact(id)] } else { Array(contacts.values) }
        var refusal = HSIPError.verifyMismatch
        var sender: Contact?
        for contact in asked where contact.trashedAt == nil {
            guard let key = contact.identityKey else { continue }
            do {
                try code.check(contact: try fingerprint(of: key), own: mine)
                sender = contact
            } catch .verifyNotForMe {
                refusal = .verifyNotForMe
            } catch .verifyMismatch {
                continue
            }
        }
        guard let sender else { throw refusal }
        guard request.isInPerson else { return Outcome(.verifyMatched, contact: sender.peerID) }
        return try markVerified(sender.peerID, by: .verifyCode, at: moment)
    }

    private func fingerprint(of key: [UInt8]) throws(HSIPError) -> [UInt8] {
        Array(try SafetyNumber.fingerprint(of: key).prefix(32))
    }
}
