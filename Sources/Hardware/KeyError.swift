/// Why a security key did not do what it was asked for.
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
    case pinWrong(triesLeft: Int?)
    /// The PIN has fewer than 4 characters or more than 63 bytes; it was not tried.
    case pinLength
    /// The key wants its PIN, or a finger, for this.
    case pinNeeded
    /// The key has no PIN.
    case noPIN
    /// Three wrong PINs in a row: the key has to be taken out and put in again.
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
    /// It was taken out.
    case gone
    /// Locked memory was not to be had.
    case outOfMemory
    /// Anything else, with the code of the library or the key.
    case failed(code: Int32)

    /// What a code of libfido2 means; `PIN_INVALID` without the number of tries, which has to be asked for.
    init(code: Int32) {
        switch code {
        case 0x2E: self = .otherKey
        case 0x31, 0x3F: self = .pinWrong(triesLeft: nil)
        case 0x34: self = .pinPaused
        case 0x32, 0x3C: self = .pinBlocked
        case 0x36: self = .pinNeeded
        case 0x35: self = .noPIN
        case 0x3A, 0x2F: self = .timeout
        case 0x27: self = .refused
        case 0x2D: self = .cancelled
        case 0x06: self = .busy
        case -2, -1: self = .gone
        default: self = .failed(code: code)
        }
    }
}
