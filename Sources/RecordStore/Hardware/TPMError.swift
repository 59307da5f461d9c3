/// Why a TPM refused a request, or was not reached.
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
    /// A sealed object without a PIN refuses the empty auth: its slot was changed.
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
}

/// How a TPM counts wrong PINs, of all who use it together.
package struct TPMLockout: Equatable, Sendable {
    /// How many were wrong lately.
    package let wrong: UInt32
    /// How many may be wrong.
    package let allowed: UInt32
    /// Seconds after which a wrong PIN is forgotten.
    package let interval: UInt32
    /// Seconds until the lockout's own password may be tried again.
    package let recovery: UInt32

    /// A count as the TPM tells it.
    package init(wrong: UInt32, allowed: UInt32, interval: UInt32, recovery: UInt32) {
        self.wrong = wrong
        self.allowed = allowed
        self.interval = interval
        self.recovery = recovery
    }

    /// How many may be wrong before it refuses.
    package var triesLeft: UInt32 { allowed > wrong ? allowed - wrong : 0 }
    /// How long it refuses at most.
    package var seconds: UInt32 { interval > 0 ? interval : recovery }
}
