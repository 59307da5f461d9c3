internal import RecordStore

extension KeyError {
    private static let otherWay = "open the vault another way, then hsip vault slot list"

    /// The name, the sentence and the help.
    var words: Failure.Words {
        switch self {
        case .noLibrary:
            (
                .noHardwareLibrary, "security keys need the library libfido2, which is not installed",
                "apt install libfido2-1"
            )
        case .noKey:
            (
                .noSecurityKey, "no security key is plugged in here; over SSH, this is the other computer",
                nil
            )
        case .denied:
            (.securityKeyDenied, "this login may not use the security key", "log in at the computer itself")
        case .unfit:
            (.securityKeyUnfit, "this security key cannot make secrets (hmac-secret)", "use another key")
        case .otherKey:
            (.securityKeyOther, "the security key that is plugged in opens no slot of this vault", nil)
        case .pinWrong(let tries):
            (
                .pinWrong,
                tries.map { "wrong PIN; the security key accepts \($0) more, then locks itself for good" }
                    ?? "wrong PIN", nil
            )
        case .pinLength: (.badPIN, "the PIN of a security key has 4 characters to 63 bytes", nil)
        case .pinNeeded, .noPIN:
            (.pinNeeded, "the security key needs its PIN, or has none", "--pin-file FILE")
        case .pinPaused:
            (
                .pinPaused, "three PINs in a row were wrong",
                "unplug the security key and plug it in again"
            )
        case .pinBlocked:
            (
                .pinBlocked, "the security key has locked its PIN; after a reset it opens no slot",
                Self.otherWay
            )
        case .verificationChanged:
            (
                .verificationChanged,
                "the security key verifies its user in another way than before and makes another secret",
                Self.otherWay
            )
        case .timeout: (.touchTimeout, "nobody touched the security key", "try again")
        case .refused: (.touchRefused, "the security key refused", nil)
        case .cancelled: (.cancelled, "the wait for a touch was ended", nil)
        case .busy: (.securityKeyBusy, "another program is using the security key", "try again")
        case .gone: (.securityKeyGone, "the security key was unplugged", "plug it in again")
        case .outOfMemory: (.outOfMemory, "the system has not enough free memory", nil)
        case .failed(let code): (.securityKeyFailed, "the security key failed (code \(code))", "try again")
        }
    }
}
