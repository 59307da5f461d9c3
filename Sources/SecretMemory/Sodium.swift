internal import CSodium

/// Starts libsodium once per process; every use of it begins by touching `isReady`.
package enum Sodium {
    /// `sodium_init()`: 0 the first time, 1 afterwards, -1 on failure.
    package static let isReady: Bool = sodium_init() >= 0

    /// Stops functions that have no way to fail: an unstarted library must not produce a value.
    @inline(__always)
    package static func mustBeReady() {
        precondition(isReady, "libsodium started")
    }

    /// Refuses to go on with a library that did not start.
    @inline(__always)
    package static func ready() throws(CryptoError) {
        guard isReady else { throw .outOfMemory }
    }
}

/// Which libsodium does the work.
public enum LibraryVersion {
    /// As the library says it: `1.0.18`.
    public static var sodium: String {
        unsafe sodium_version_string().map { unsafe String(cString: $0) } ?? ""
    }
}

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
