/// What can go wrong in a primitive; never why a tag or signature was wrong.
public enum CryptoError: Error, Equatable, Sendable {
    /// A tag, signature or padding did not verify.
    case authenticationFailed
    /// An input has the wrong length.
    case wrongSize(expected: Int, found: Int)
    /// A public key is of low order, not canonical, or otherwise not usable.
    case badPublicKey
    /// Password-hash parameters outside the accepted range; nothing was computed.
    case parametersOutOfBounds
    /// Locked memory, or memory for the password hash, was not to be had.
    case outOfMemory
    /// Text that is not strict base64, hexadecimal or base32.
    case malformedText
    /// A check character or check bits did not match: mistyped.
    case checkFailed
}
