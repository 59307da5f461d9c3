internal import VaultCrypto

/// The two halves of a VERIFY code: who made it, and for whom.
///
/// Anyone can make them from public keys. A match proves something only when the code was read from the
/// person's own screen or paper; that judgement is the caller's.
public struct VerifyHalves: Equatable, Sendable {
    /// The first 32 bytes of the sender's fingerprint.
    public let sender: [UInt8]
    /// The first 32 bytes of the receiver's fingerprint.
    public let receiver: [UInt8]

    /// The halves as read from a code.
    public init(sender: [UInt8], receiver: [UInt8]) {
        self.sender = sender
        self.receiver = receiver
    }

    /// The halves of a code that the owner of `sender` shows to the owner of `receiver`.
    ///
    /// - Throws: `malformed` for a key that is not 32 bytes.
    public init(senderKey: [UInt8], receiverKey: [UInt8]) throws(HSIPError) {
        sender = Array(try SafetyNumber.fingerprint(of: senderKey).prefix(32))
        receiver = Array(try SafetyNumber.fingerprint(of: receiverKey).prefix(32))
    }

    /// Compares with the halves that the same two people should have, in constant time.
    ///
    /// - Parameter expected: the contact's identity as sender and one's own as receiver.
    /// - Throws: `verifyMismatch` if the sender is not that contact; `verifyNotForMe` if it is, but the code was
    ///   made for somebody else.
    public func check(against expected: VerifyHalves) throws(HSIPError) {
        let isTheirs = ConstantTime.equal(sender, expected.sender)
        let isForMe = ConstantTime.equal(receiver, expected.receiver)
        guard isTheirs else { throw .verifyMismatch }
        guard isForMe else { throw .verifyNotForMe }
    }
}
