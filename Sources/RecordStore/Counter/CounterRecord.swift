public import VaultCrypto

/// What a vault keeps of a TPM's counter, one record for each machine:
/// 01 ‖ u64 value ‖ u32 handle ‖ name 34 ‖ auth 32 ‖ u64 seconds.
public struct CounterRecord: Sendable {
    /// The kind of these records.
    public static let kind = "vault.counter"
    /// Bytes of a machine's mark in a vault.
    public static let machineSize = 16
    private static let version: UInt8 = 1
    private static let nameSize = 34
    private static let authSize = 32
    private static let size = 1 + 8 + 4 + nameSize + authSize + 8

    /// The counter's value when it was counted last, or is to be after the commit that holds this record.
    public let value: UInt64
    /// The index in the TPM.
    public let handle: UInt32
    /// The index's name, 34 bytes, which covers its attributes.
    public let name: [UInt8]
    /// What the TPM asks for, 32 random bytes.
    public let auth: Secret
    /// When it was counted last, in seconds of Unix time.
    public let countedAt: UInt64

    /// A record by its parts; nil for a name or auth of another size.
    public init?(value: UInt64, handle: UInt32, name: [UInt8], auth: Secret, countedAt: UInt64) {
        guard name.count == Self.nameSize, auth.count == Self.authSize else { return nil }
        self.value = value
        self.handle = handle
        self.name = name
        self.auth = auth
        self.countedAt = countedAt
    }

    /// Reads a body; nil for what this program does not write.
    public init?(_ body: Secret) {
        guard body.count == Self.size else { return nil }
        let place = 13..<13 + Self.nameSize
        let parts = body.withBytes { bytes -> (UInt64, UInt32, [UInt8], UInt64)? in
            guard bytes.byte(at: 0) == Self.version else { return nil }
            return (
                Self.number(UInt64.self, at: 1, of: bytes), Self.number(UInt32.self, at: 9, of: bytes),
                place.map { bytes.byte(at: $0) },
                Self.number(UInt64.self, at: Self.size - 8, of: bytes)
            )
        }
        guard let (value, handle, name, time) = parts,
            let auth = try? body.part(place.upperBound..<place.upperBound + Self.authSize)
        else { return nil }
        self.init(value: value, handle: handle, name: name, auth: auth, countedAt: time)
    }

    /// The body.
    ///
    /// - Throws: `outOfMemory`.
    public func body() throws(StoreError) -> SecretBytes {
        var front = [Self.version]
        front.append(bigEndian: value)
        front.append(bigEndian: handle)
        front += name
        var end: [UInt8] = []
        end.append(bigEndian: countedAt)
        do throws(CryptoError) {
            return try SecretBytes.joined(try SecretBytes.joined(front, auth), end)
        } catch {
            throw StoreError(error)
        }
    }

    /// The same for the next value.
    public func counting(to value: UInt64, at time: UInt64) -> CounterRecord? {
        CounterRecord(value: value, handle: handle, name: name, auth: auth, countedAt: time)
    }

    /// What a machine is called in a vault, which tells nothing of it elsewhere:
    /// H("", L(machine) ‖ vault id ‖ machine id, 16).
    public static func machine(_ identifier: [UInt8], vaultID: [UInt8]) throws(StoreError) -> [UInt8] {
        guard identifier.count == machineSize else { throw .invalidRecord(.name) }
        return try hash(VaultLabel.machine.bytes + vaultID + identifier)
    }

    /// The handle that is tried first: 0x01800000 and the upper 22 bits of H("", L(nv) ‖ vault id ‖ machine, 16).
    public static func preferredHandle(machine: [UInt8], vaultID: [UInt8]) throws(StoreError) -> UInt32 {
        let bytes = try hash(VaultLabel.nv.bytes + vaultID + machine)
        return 0x0180_0000 | bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) } >> 10
    }

    private static func hash(_ message: [UInt8]) throws(StoreError) -> [UInt8] {
        do { return try KeyedHash.blake2b(message, count: 16) } catch { throw StoreError(error) }
    }

    private static func number<T: FixedWidthInteger>(_ type: T.Type, at offset: Int, of bytes: RawSpan) -> T {
        (offset..<offset + T.bitWidth / 8).reduce(0) { $0 << 8 | T(bytes.byte(at: $1)) }
    }
}
