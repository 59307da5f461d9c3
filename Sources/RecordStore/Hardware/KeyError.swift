/// Why a security key did not do a request.
package enum KeyError: Error, Equatable, Sendable {
    /// libfido2 is not installed.
    case noLibrary
    /// No security key is plugged in.
    case noKey
    /// A key is plugged in; this login may not use it.
    case denied
    /// The key cannot make secrets: it has no FIDO2, or not hmac-secret.
    case unfit
    /// The key did not make this credential.
    case otherKey
    /// The PIN, or finger, is wrong; `triesLeft` until the key locks itself for good, where it says so.
    case pinWrong(triesLeft: UInt32?)
    /// The PIN has fewer than 4 characters or more than 63 bytes; it was not tried.
    case pinLength
    /// The key wants its PIN, or a finger, for this.
    case pinNeeded
    /// The key has no PIN.
    case noPIN
    /// Three wrong PINs in a row: the key has to be unplugged and plugged in again.
    case pinPaused
    /// The key has locked its PIN for good.
    case pinBlocked
    /// The key verifies its user otherwise than when the slot was made, and would give another secret.
    case verificationChanged
    /// Nobody touched it.
    case timeout
    /// It said no.
    case refused
    /// The wait was ended.
    case cancelled
    /// Another program is using it.
    case busy
    /// It was unplugged.
    case gone
    /// Locked memory was not to be had.
    case outOfMemory
    /// Anything else, with the code of the library or the key.
    case failed(code: Int32)
}
