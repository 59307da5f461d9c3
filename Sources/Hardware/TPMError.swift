/// Why a TPM did not do what it was asked for.
package enum TPMError: Error, Equatable, Sendable {
    /// tpm2-tss is not installed.
    case noLibrary
    /// The machine has no TPM, or no driver for it.
    case noTPM
    /// The TPM is there; this user may not use it.
    case denied
    /// The owner hierarchy has a password, so that no storage key can be made.
    case owned
    /// The PIN is wrong; `triesLeft` until the TPM refuses for a while, where it says so.
    case pinWrong(triesLeft: UInt32?)
    /// The TPM refuses PINs, for at most so many seconds.
    case lockout(seconds: UInt32)
    /// A sealed object does not take the auth that was made with it, although no PIN guards it: its slot was changed.
    case authDiffers
    /// The machine was started in another way than when the object was sealed.
    case stateDiffers
    /// The object belongs to another TPM, or this one was cleared.
    case otherTPM
    /// The TPM was busy for a second.
    case busy
    /// Locked memory was not to be had.
    case outOfMemory
    /// Anything else, with the code of the library or the TPM.
    case failed(code: UInt32)

    /// The code without what varies with the place of a parameter (TPM 2.0 part 2, section 6.6).
    static func plain(_ code: UInt32) -> UInt32 {
        // Beyond 16 bits it is a layer of the library and no code of the TPM.
        guard code >> 16 == 0 else { return code }
        return code & (code & 0x80 != 0 ? 0xBF : 0xFFF)
    }
}

/// Codes of a TPM, without what varies (TPM 2.0 part 2, section 6.6.3).
enum TPMCode {
    static let authFail: UInt32 = 0x08E
    static let handle: UInt32 = 0x08B
    static let value: UInt32 = 0x084
    static let policyFail: UInt32 = 0x09D
    static let integrity: UInt32 = 0x09F
    static let badAuth: UInt32 = 0x0A2
    static let nvDefined: UInt32 = 0x14C
    static let lockout: UInt32 = 0x921
    /// It has no memory for an object or a session, was interrupted, spares its flash, or wants to be asked again.
    static let transient: Set<UInt32> = [0x902, 0x903, 0x908, 0x920, 0x922]
}
