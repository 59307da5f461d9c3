/// The public parameters of a slot that a new vault key is wrapped to without its secret (kinds 16, 17 and 20):
/// 01 ‖ flags ‖ salt 16 ‖ carry 72 ‖ rest.
package struct CarriedParams: Equatable, Sendable {
    /// Bytes before the rest.
    static let frontSize = 2 + SlotParams.saltSize + carrySize
    /// Nonce, tag, and the public key in cipher.
    static let carrySize = Envelope.openingSize + 32
    /// The version that is read and written.
    static let version: UInt8 = 1

    /// The flags of the slot's kind; 0 for a recovery code.
    let flags: UInt8
    /// The salt of the secret's hash, 16 bytes.
    package let salt: [UInt8]
    /// The public key that the vault key is wrapped to, sealed under subkey 6.
    package let carry: [UInt8]
    /// Further bytes of the slot's kind; empty for a recovery code.
    let rest: [UInt8]

    init(flags: UInt8 = 0, salt: [UInt8], carry: [UInt8], rest: [UInt8] = []) {
        self.flags = flags
        self.salt = salt
        self.carry = carry
        self.rest = rest
    }

    /// Reads stored parameters; nil for another version, or if they are too short.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.frontSize, bytes[0] == Self.version else { return nil }
        let carried = 2 + SlotParams.saltSize
        self.init(
            flags: bytes[1],
            salt: Array(bytes[2..<carried]),
            carry: Array(bytes[carried..<Self.frontSize]),
            rest: Array(bytes[Self.frontSize...])
        )
    }

    /// The stored bytes.
    package var encoded: [UInt8] { [Self.version, flags] + salt + carry + rest }

    /// The parameters with another carry.
    package func carrying(_ carry: [UInt8]) -> CarriedParams {
        CarriedParams(flags: flags, salt: salt, carry: carry, rest: rest)
    }
}
