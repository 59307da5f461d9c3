internal import VaultCrypto

/// VERIFY: the two fingerprints of a pair of people (66 bytes); not timed, not signed.
///
/// Anyone can make it, so it proves something only if it was read from the person's own screen.
public struct VerifyCode: Hashable, Sendable {
    /// The length of a VERIFY in bytes.
    public static let byteCount = 66

    /// The first half of the sender's fingerprint, 32 bytes.
    public let senderFingerprint: [UInt8]
    /// The first half of the receiver's fingerprint, 32 bytes.
    public let receiverFingerprint: [UInt8]
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads a VERIFY from its exact bytes; `unsupportedVersion`, or `malformed` for any other kind or length.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        guard try reader.u8() == 1 else { throw .unsupportedVersion }
        guard try reader.u8() == CodeKind.verify.rawValue else { throw .malformed }
        senderFingerprint = try reader.take(32)
        receiverFingerprint = try reader.take(32)
        try reader.finish()
        self.bytes = bytes
    }

    /// A VERIFY of two halves of 32 bytes each; `malformed` for other lengths.
    public init(senderFingerprint: [UInt8], receiverFingerprint: [UInt8]) throws(HSIPError) {
        try self.init(
            bytes: [1, CodeKind.verify.rawValue] + (try senderFingerprint.sized(32))
                + (try receiverFingerprint.sized(32))
        )
    }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: .verify) }
}

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
    ///   - own: The fingerprint of my own identity key.
    /// - Throws: `verifyMismatch` if the sender is not that contact; `verifyNotForMe` if the sender is, but the code was
    ///   made for another person.
    public func check(contact: [UInt8], own: [UInt8]) throws(HSIPError) {
        let isTheirs = ConstantTime.equal(senderFingerprint, contact.prefix(32))
        let isForMe = ConstantTime.equal(receiverFingerprint, own.prefix(32))
        guard isTheirs else { throw .verifyMismatch }
        guard isForMe else { throw .verifyNotForMe }
    }
}
