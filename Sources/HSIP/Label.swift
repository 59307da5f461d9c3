/// Domain separation: every hash, MAC, signature and derived key of the protocol starts with its own label.
///
/// L(x) = ASCII `HSIP-XC1/` ‖ x ‖ 00 (Schemas/hsip-xc1.md section 4). The closing zero byte makes the labels
/// prefix-free, so no signature made for one kind of code serves for another.
public enum Label: String, CaseIterable, Sendable {
    case sigOffer = "sig-offer"
    case sigAnswer = "sig-answer"
    case sigRotate = "sig-rotate"
    case sigAccept = "sig-accept"
    case sigRevoke = "sig-revoke"
    case offer, transcript, rotate, accept, revoke
    case rotateRef = "rotate-ref"
    case rotateTranscript = "rotate-transcript"
    case i2r, r2i, single, confirm, chain, ref, emoji
    case nonceI2R = "nonce-i2r"
    case nonceR2I = "nonce-r2i"
    case nonceLegacy = "nonce-legacy"
    case fileKey = "file-key"
    case safetyNumber = "safety-number"
    case legacy

    /// The label as it is hashed.
    public var bytes: [UInt8] { Array("HSIP-XC1/".utf8) + Array(rawValue.utf8) + [0] }
}
