internal import CSodium

/// A key from a password: Argon2id version 1.3, one lane (RFC 9106; `crypto_pwhash`).
public enum PasswordHash {
    /// The cost of one guess.
    public struct Parameters: Equatable, Sendable {
        /// Passes over the memory.
        public let operations: UInt32
        /// Memory in KiB.
        public let kibibytes: UInt32

        /// The fewest and the most passes: 2 would allow time-memory trade-offs, 11 would only delay the owner.
        public static let operationsAllowed: ClosedRange<UInt32> = 3...10
        /// The least and the most memory: 64 MiB to 1 GiB, so that a hostile file cannot exhaust it.
        public static let kibibytesAllowed: ClosedRange<UInt32> = (64 << 10)...(1 << 20)

        /// Accepts 3 to 10 passes over 64 MiB to 1 GiB.
        ///
        /// - Throws: `CryptoError.parametersOutOfBounds` for anything else.
        public init(operations: UInt32, kibibytes: UInt32) throws(CryptoError) {
            guard Self.operationsAllowed.contains(operations), Self.kibibytesAllowed.contains(kibibytes)
            else { throw .parametersOutOfBounds }
            self.init(unchecked: operations, kibibytes)
        }

        fileprivate init(unchecked operations: UInt32, _ kibibytes: UInt32) {
            self.operations = operations
            self.kibibytes = kibibytes
        }
    }

    /// Bytes in a salt.
    public static let saltSize = 16

    /// Output sizes in bytes.
    public static let outputSizes = 16...128
    /// The parameters of new slots: 3 passes over 256 MiB.
    public static let standard = Parameters(unchecked: 3, 256 << 10)
    /// The least parameters that are accepted: 3 passes over 64 MiB.
    public static let floor = Parameters(unchecked: 3, 64 << 10)

    /// Derives `count` bytes of key (16...128) from a password and a 16-byte salt.
    ///
    /// It runs for a tenth of a second to several seconds, in as much memory as the parameters say.
    ///
    /// - Throws: `CryptoError.wrongSize` for a salt or count of another size; `outOfMemory` if the system has too little
    ///   memory.
    public static func derive(
        _ password: borrowing some ByteSource & ~Copyable,
        salt: [UInt8],
        parameters: Parameters,
        count: Int
    ) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        try salt.require(saltSize)
        try outputSizes.require(count)
        var key = try SecretBytes(count: count)
        let result = unsafe key.withMutablePointer { target, count in
            unsafe password.withPointer { password, passwordCount in
                unsafe password.withMemoryRebound(to: CChar.self, capacity: passwordCount) { password in
                    unsafe salt.withPointer { salt, _ in
                        unsafe crypto_pwhash(
                            target,
                            UInt64(count),
                            password,
                            UInt64(passwordCount),
                            salt,
                            UInt64(parameters.operations),
                            Int(parameters.kibibytes) << 10,
                            crypto_pwhash_ALG_ARGON2ID13
                        )
                    }
                }
            }
        }
        guard result == 0 else { throw .outOfMemory }
        return key
    }
}
