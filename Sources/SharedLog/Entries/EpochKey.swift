internal import VaultCrypto

/// What is derived from an epoch key K, 32 random bytes that all machines of the time know.
enum EpochKey {
    /// Bytes in K.
    static let size = 32

    /// The key that entries of the epoch are sealed under.
    static func seal(_ key: Secret, log: LogID, epoch: UInt32) throws(CryptoError) -> SecretBytes {
        try HKDF.expand(key, info: info(.seal, log, epoch), count: 32)
    }

    /// Sixteen bytes in a rekey that commit to K: a box that opens to another key is found out.
    static func check(_ key: Secret, log: LogID, epoch: UInt32) throws(LogError) -> [UInt8] {
        try primitives { () throws(CryptoError) in
            try HKDF.expand(key, info: info(.keyCheck, log, epoch), count: 16).withBytes { $0.copied() }
        }
    }

    private static func info(_ label: LogLabel, _ log: LogID, _ epoch: UInt32) -> [UInt8] {
        label.bytes + log.bytes + epoch.bigEndianBytes
    }
}
