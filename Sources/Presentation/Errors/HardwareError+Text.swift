internal import RecordStore
package import SSHFormats
internal import Text
package import VaultLifecycle

extension HardwareError: Explainable {
    package var explanation: Failure { Failure(words, details: details) }

    private var words: Failure.Words {
        switch self {
        case .noHelper:
            (
                .noHardwareHelper, "hsip-hardware is not installed beside hsip or in /usr/libexec",
                "install hsip again"
            )
        case .helperFailed: (.tpmFailed, "hsip-hardware gave no answer", "try again")
        case .tpm(let error): error.words
        case .key(let error): error.words
        }
    }

    private var details: JSONValue {
        switch self {
        case .tpm(.pinWrong(let tries)), .key(.pinWrong(let tries)): ["triesLeft": .optional(tries)]
        case .tpm(.lockout(let seconds)): ["seconds": .integer(seconds)]
        case .tpm(.failed(let code)): ["code": .integer(code)]
        case .key(.failed(let code)): ["code": .integer(code)]
        default: .null
        }
    }
}

extension TPMError {
    /// The commands with which the owner stores a storage key once for all programs.
    private static let storageKey =
        "tpm2_evictcontrol -C o -P file:OWNER -c KEY 0x81000001  keeps one there, as the guide shows"
    private static let otherWay = "open the vault another way, then hsip vault slot set tpm2"

    fileprivate var words: Failure.Words {
        switch self {
        case .noLibrary:
            (
                .noHardwareLibrary, "the TPM needs the library tpm2-tss, which is not installed",
                "apt install libtss2-esys-3.0.2-0 libtss2-tcti-device0"
            )
        case .noTPM: (.noTPM, "this computer has no TPM 2, or its driver is not loaded", nil)
        case .denied:
            (.tpmDenied, "this user may not use the TPM", "sudo usermod -aG tss $USER  then log in again")
        case .owned:
            (
                .tpmOwned, "the TPM has an owner password and no storage key at 81000001", Self.storageKey
            )
        case .pinWrong(let tries):
            (
                .pinWrong,
                tries.map { "wrong PIN; the TPM accepts \($0) more, then refuses PINs for a while" }
                    ?? "wrong PIN", nil
            )
        case .lockout(let seconds):
            (
                .tpmLockout,
                "the TPM refuses PINs for up to \(Self.span(seconds)): too many were wrong, "
                    + "perhaps in another program", "open the vault another way"
            )
        case .authDiffers: (.tampered, "the key slot was changed from outside", "hsip vault check")
        case .stateDiffers:
            (.tpmState, "the computer started differently than when the slot was made", Self.otherWay)
        case .otherTPM:
            (.tpmOther, "the slot belongs to another TPM, or this TPM was cleared", Self.otherWay)
        case .busy: (.tpmBusy, "another program is using the TPM", "try again")
        case .outOfMemory: (.outOfMemory, "the system has not enough free memory", nil)
        case .failed(let code):
            (.tpmFailed, "the TPM failed (code \(String(code, radix: 16)))", "hsip doctor")
        }
    }

    private static func span(_ seconds: UInt32) -> String {
        seconds < 120 ? Plural.of(Int(seconds), "second") : Plural.of(Int(seconds + 59) / 60, "minute")
    }
}

extension KeyError {
    private static let otherWay = "open the vault another way, then hsip vault slot list"

    /// The name, the sentence and the hint.
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

extension SecurityKeyFault: Worded {
    package var words: Failure.Words {
        switch self {
        case .noHelper:
            (
                .helperMissing, "SSH keys in a security key need ssh-sk-helper, which is not installed",
                "apt install openssh-client"
            )
        case .answerless: (.securityKeyFailed, "ssh-sk-helper gave no signature of this key", "try again")
        case .noKey: (.noSecurityKey, "the security key of this SSH key is not plugged in", "plug it in")
        case .unfit: (.securityKeyUnfit, "this security key cannot make such a signature", "use another key")
        case .pinNeeded:
            (
                .pinNeeded, "the security key needs its PIN, and hsip can ask for it nowhere",
                "apt install pinentry-curses"
            )
        case .pinWrong:
            (
                .pinWrong, "wrong PIN; after eight wrong ones a security key locks itself for good",
                "try again"
            )
        case .untouched:
            (.touchTimeout, "nobody touched the security key, or it was unplugged", "try again")
        case .dismissed: (.promptDismissed, "the question about the security key was refused", nil)
        case .late: (.promptTimeout, "nobody typed the PIN in time", "try again")
        case .cancelled: (.cancelled, "the program that wanted the signature has gone", nil)
        case .locked: (.locked, "the vault was locked meanwhile", "hsip unlock")
        case .busy: (.securityKeyBusy, "another signature waits for a security key", "try again")
        case .otherData:
            (
                .denied, "this key is not for ssh alone, so it signs only logins and files",
                "ssh-keygen -t ed25519-sk"
            )
        case .exhausted: (.outOfMemory, "the data is too long, or the agent has too little memory", nil)
        case .failed(let code):
            (.securityKeyFailed, "the security key failed (OpenSSH's code \(code))", "try again")
        }
    }
}
