public import VaultCrypto

/// The five signatures of an identity key (seed and public key 32 bytes, signature 64).
///
/// Each signature is over its own label, so none can replace another; the identity signs nothing else.
/// Signing throws `outOfMemory`, or `malformed` for a seed of the wrong size; verifying throws `badSignature`.
extension KeySchedule {
    /// Signs an offer without its signature.
    public static func signOffer(
        _ unsigned: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> [UInt8] {
        try sign(Label.sigOffer.bytes + unsigned, seed: seed)
    }

    /// Checks the signature of an offer against the identity in it.
    public static func verifyOffer(
        _ signature: [UInt8],
        unsigned: [UInt8],
        publicKey: [UInt8]
    ) throws(HSIPError) {
        try verify(signature, Label.sigOffer.bytes + unsigned, publicKey)
    }

    /// Signs an answer: its transcript th and its confirmation tag.
    public static func signAnswer(
        transcript: [UInt8],
        confirm: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> [UInt8] {
        try sign(Label.sigAnswer.bytes + transcript + confirm, seed: seed)
    }

    /// Checks the signature of an answer against the identity in it.
    public static func verifyAnswer(
        _ signature: [UInt8],
        transcript: [UInt8],
        confirm: [UInt8],
        publicKey: [UInt8]
    ) throws(HSIPError) {
        try verify(signature, Label.sigAnswer.bytes + transcript + confirm, publicKey)
    }

    /// Signs a rotate: the ref of its epoch, the rotate without its last 80 bytes, and its MAC.
    public static func signRotate(
        ref: [UInt8],
        unsigned: [UInt8],
        mac: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> [UInt8] {
        try sign(Label.sigRotate.bytes + ref + unsigned + mac, seed: seed)
    }

    /// Checks the signature of a rotate against the pinned identity of its author.
    public static func verifyRotate(
        _ signature: [UInt8],
        ref: [UInt8],
        unsigned: [UInt8],
        mac: [UInt8],
        publicKey: [UInt8]
    ) throws(HSIPError) {
        try verify(signature, Label.sigRotate.bytes + ref + unsigned + mac, publicKey)
    }

    /// Signs an accept: its transcript th' and its confirmation tag.
    public static func signAccept(
        transcript: [UInt8],
        confirm: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> [UInt8] {
        try sign(Label.sigAccept.bytes + transcript + confirm, seed: seed)
    }

    /// Checks the signature of an accept against the pinned identity of its author.
    public static func verifyAccept(
        _ signature: [UInt8],
        transcript: [UInt8],
        confirm: [UInt8],
        publicKey: [UInt8]
    ) throws(HSIPError) {
        try verify(signature, Label.sigAccept.bytes + transcript + confirm, publicKey)
    }

    /// Signs a revoke of either scope without its signature (of a session: with its MAC).
    public static func signRevoke(
        _ unsigned: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> [UInt8] {
        try sign(Label.sigRevoke.bytes + unsigned, seed: seed)
    }

    /// Checks the signature of a revoke against the identity of its author.
    public static func verifyRevoke(
        _ signature: [UInt8],
        unsigned: [UInt8],
        publicKey: [UInt8]
    ) throws(HSIPError) {
        try verify(signature, Label.sigRevoke.bytes + unsigned, publicKey)
    }

    private static func sign(
        _ message: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> [UInt8] {
        do { return try Signing.sign(message, seed: seed) } catch { throw HSIPError(error) }
    }

    private static func verify(
        _ signature: [UInt8],
        _ message: [UInt8],
        _ publicKey: [UInt8]
    ) throws(HSIPError) {
        guard Signing.isValid(signature, message: message, publicKey: publicKey) else { throw .badSignature }
    }
}
