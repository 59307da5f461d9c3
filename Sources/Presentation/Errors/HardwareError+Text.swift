internal import RecordStore
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
    /// How the owner keeps a storage key once, for all programs.
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
