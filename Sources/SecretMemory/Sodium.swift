internal import CSodium

/// Starts libsodium once per process; every use of libsodium checks `isReady` first.
package enum Sodium {
    /// `sodium_init()`: 0 the first time, 1 afterwards, -1 on failure.
    package static let isReady: Bool = sodium_init() >= 0

    /// Stops the process if libsodium did not start, in functions that cannot throw.
    @inline(__always)
    package static func mustBeReady() {
        precondition(isReady, "libsodium started")
    }

    /// Throws `outOfMemory` if libsodium did not start.
    @inline(__always)
    package static func ready() throws(CryptoError) {
        guard isReady else { throw .outOfMemory }
    }
}

/// The version of libsodium.
public enum LibraryVersion {
    /// The version as the library reports it: `1.0.18`.
    public static var sodium: String {
        unsafe sodium_version_string().map { unsafe String(cString: $0) } ?? ""
    }
}

/// The errors of a primitive; they never say why a tag or signature is wrong.
public enum CryptoError: Error, Equatable, Sendable {
    /// A tag, signature or padding did not verify.
    case authenticationFailed
    /// An input has the wrong length.
    case wrongSize(expected: Int, found: Int)
    /// A public key is of low order, not canonical, or otherwise not usable.
    case badPublicKey
    /// Password-hash parameters are outside the accepted range; no hash was computed.
    case parametersOutOfBounds
    /// Locked memory, or memory for the password hash, could not be allocated.
    case outOfMemory
    /// A text is not strict base64, hexadecimal or base32.
    case malformedText
    /// A check character or check bits do not match: the text was mistyped.
    case checkFailed
}
