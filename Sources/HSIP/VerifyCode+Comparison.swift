internal import VaultCrypto

/// Making and comparing a VERIFY.
///
/// Anyone can make one from public keys. A match proves something only when the code was read from the person's
/// own screen or paper; that judgement is the caller's.
extension VerifyCode {
    /// The code that the owner of one identity key shows to the owner of the other (32 bytes each).
    ///
    /// - Throws: `malformed` for a key of another size.
    public init(senderKey: [UInt8], receiverKey: [UInt8]) throws(HSIPError) {
        try self.init(
            senderFingerprint: Array(try SafetyNumber.fingerprint(of: senderKey).prefix(32)),
            receiverFingerprint: Array(try SafetyNumber.fingerprint(of: receiverKey).prefix(32))
        )
    }

    /// Compares the code with what a contact should show to me, in constant time.
    ///
    /// - Parameters:
    ///   - contact: `SafetyNumber.fingerprint` of the contact's pinned identity key, 64 bytes.
    ///   - own: that of my own.
    /// - Throws: `verifyMismatch` if the sender is not that contact; `verifyNotForMe` if it is, but the code was
    ///   made for another person.
    public func check(contact: [UInt8], own: [UInt8]) throws(HSIPError) {
        let isTheirs = ConstantTime.equal(senderFingerprint, contact.prefix(32))
        let isForMe = ConstantTime.equal(receiverFingerprint, own.prefix(32))
        guard isTheirs else { throw .verifyMismatch }
        guard isForMe else { throw .verifyNotForMe }
    }
}
