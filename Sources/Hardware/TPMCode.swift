internal import RecordStore

extension TPMError {
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
    static let lockout: UInt32 = 0x921
    /// It has no memory for an object or a session, was interrupted, spares its flash, or wants to be asked again.
    static let transient: Set<UInt32> = [0x902, 0x903, 0x908, 0x920, 0x922]
}
