public import VaultCrypto

/// The MACs of rotate and revoke codes: their author knows the keys of the epoch that the code names.
extension KeySchedule {
    /// The 16 bytes in a rotate before its signature.
    ///
    /// - Parameters:
    ///   - rotateKey: D(rotate) of the epoch that the code's ref names.
    ///   - role: The role of the code's author in the pairing.
    ///   - unsigned: the rotate without its last 80 bytes.
    /// - Returns: HMAC-SHA256 of label, role and rotate, cut to 16 bytes.
    public static func rotateMAC(
        rotateKey: borrowing some ByteSource & ~Copyable,
        role: Role,
        unsigned: [UInt8]
    ) -> [UInt8] {
        mac(.rotate, key: rotateKey, role: role, unsigned: unsigned)
    }

    /// Checks the MAC of a rotate in constant time.
    ///
    /// - Throws: `badSignature`.
    public static func checkRotateMAC(
        _ tag: [UInt8],
        rotateKey: borrowing some ByteSource & ~Copyable,
        role: Role,
        unsigned: [UInt8]
    ) throws(HSIPError) {
        let expected = rotateMAC(rotateKey: rotateKey, role: role, unsigned: unsigned)
        guard ConstantTime.equal(tag, expected) else { throw .badSignature }
    }

    /// The 16 bytes in a session revoke before its signature; `unsigned` is without the last 80 bytes.
    public static func revokeMAC(
        rotateKey: borrowing some ByteSource & ~Copyable,
        role: Role,
        unsigned: [UInt8]
    ) -> [UInt8] {
        mac(.revoke, key: rotateKey, role: role, unsigned: unsigned)
    }

    /// Checks the MAC of a session revoke in constant time.
    ///
    /// - Throws: `badSignature`.
    public static func checkRevokeMAC(
        _ tag: [UInt8],
        rotateKey: borrowing some ByteSource & ~Copyable,
        role: Role,
        unsigned: [UInt8]
    ) throws(HSIPError) {
        let expected = revokeMAC(rotateKey: rotateKey, role: role, unsigned: unsigned)
        guard ConstantTime.equal(tag, expected) else { throw .badSignature }
    }

    private static func mac(
        _ label: Label,
        key: borrowing some ByteSource & ~Copyable,
        role: Role,
        unsigned: [UInt8]
    ) -> [UInt8] {
        Array(HMACSHA256.tag(label.bytes + [role.byte] + unsigned, key: key).prefix(16))
    }
}
