public import VaultCrypto

/// JOIN: "this machine wants to share your vault" (143 bytes and the name).
///
/// Reading checks the form only; a caller that uses a JOIN calls `verifySignature` first, and asks a person for the
/// number that the other machine shows.
public struct JoinCode: Hashable, Sendable {
    /// The length without the name.
    static let fixedCount = 143
    /// The offset of the name's length.
    static let nameOffset = 78
    /// A name is required, so it has at least one byte.
    static let nameSizes = 1...PeerName.longest
    /// The validity of a code in minutes, unless the user chooses another.
    public static let usualTTL = MachineHeader.usualTTL
    /// The longest validity of a JOIN or ADMIT, in minutes: one day.
    public static let longestTTL = MachineHeader.longestTTL

    private let header: MachineHeader
    /// The machine's Ed25519 public key, 32 bytes: only for the log, never the identity.
    public let signKey: [UInt8]
    /// The machine's X25519 public key, 32 bytes.
    public let boxKey: [UInt8]
    /// The name that the machine chose, 1...40 bytes.
    public let name: String
    /// Ed25519 over the label and everything before it, 64 bytes.
    public let signature: [UInt8]
    /// The exact encoding.
    public let bytes: [UInt8]

    /// Reads a JOIN from its exact bytes.
    ///
    /// - Throws: `unsupportedVersion`, `unsupportedSuite`, `unsupportedFlag`; `malformed` for any other kind, length,
    ///   number out of range, or refused name; `badKey` for keys that could not agree on a secret.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try MachineHeader(&reader, kind: .join)
        signKey = try reader.take(32)
        boxKey = try reader.take(32)
        name = try reader.name()
        guard !name.isEmpty else { throw .malformed }
        signature = try reader.take(64)
        try reader.finish()
        guard !KeyAgreement.isLowOrder(boxKey) else { throw .badKey }
        self.bytes = bytes
    }

    /// The bytes that the machine signs: everything before the signature.
    ///
    /// - Throws: `malformed` for keys of another length than 32, a refused name, or a time out of range.
    public static func unsigned(
        issued: UInt64,
        ttlMinutes: UInt16 = usualTTL,
        signKey: [UInt8],
        boxKey: [UInt8],
        name: String
    ) throws(HSIPError) -> [UInt8] {
        try MachineHeader(kind: .join, issued: issued, ttlMinutes: ttlMinutes).bytes
            + (try signKey.sized(32)) + (try boxKey.sized(32)) + (try PeerName.field(name))
    }

    /// Signs a JOIN with the machine's seed.
    public init(
        unsigned: [UInt8],
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) {
        let signature: [UInt8]
        do {
            signature = try Signing.sign(MachineCode.label("sig-join") + unsigned, seed: seed)
        } catch {
            throw HSIPError(error)
        }
        try self.init(bytes: unsigned + signature)
        try verifySignature()
    }

    /// - Throws: `badSignature`.
    public func verifySignature() throws(HSIPError) {
        let message = MachineCode.label("sig-join") + bytes.dropLast(64)
        guard Signing.isValid(signature, message: message, publicKey: signKey) else { throw .badSignature }
    }

    /// When the code was made, Unix seconds by its author's clock.
    public var issued: UInt64 { header.issued }
    /// The last second of the code's validity by the author's clock, without tolerance.
    public var expiry: UInt64 { header.expiry }

    /// Throws `codeFromFuture` or `codeExpired` by the rule of the codes between people.
    public func checkTime(wallClock: UInt64, effectiveNow: UInt64) throws(HSIPError) {
        try header.checkTime(wallClock: wallClock, effectiveNow: effectiveNow)
    }

    /// The identifier of the machine: the first 16 bytes of a hash of its key.
    public var machineID: [UInt8] { Array(Hash.sha256(MachineCode.label("machine") + signKey).prefix(16)) }

    /// The hash of the whole code, 32 bytes, to which an ADMIT is sealed.
    public var hash: [UInt8] { Hash.sha256(MachineCode.label("join") + bytes) }
    /// The reference by which an ADMIT names the code: the first 16 bytes of `hash`.
    public var reference: [UInt8] { Array(hash.prefix(16)) }

    /// The number that a person types into the admitting machine; computing it needs a tenth of a second.
    public func number() throws(HSIPError) -> MachineNumber {
        try MachineNumber(of: MachineCode.label("join-number") + bytes)
    }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { MachineCode.join(self).text }
}

/// HEAD: the history that a machine has seen, up to an entry (58 bytes).
///
/// The values are public and not signed. Like a VERIFY, a HEAD counts only if it is read from the other machine's screen.
public struct HeadCode: Hashable, Sendable {
    /// The length of a HEAD in bytes.
    public static let byteCount = 58

    /// The id of the log, 16 bytes.
    public let logID: [UInt8]
    /// The position of the entry.
    public let place: UInt64
    /// The hash of the entry there, 32 bytes, which depends on all entries before it.
    public let hash: [UInt8]

    /// Reads a HEAD from its exact bytes; throws `unsupportedVersion`, or `malformed` for anything else.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        guard try reader.u8() == CodeHeader.version else { throw .unsupportedVersion }
        guard try reader.u8() == MachineCode.Kind.head.rawValue else { throw .malformed }
        let logID = try reader.take(16)
        let place = UInt64(try reader.u32()) << 32 | UInt64(try reader.u32())
        let hash = try reader.take(32)
        try reader.finish()
        try self.init(logID: logID, place: place, hash: hash)
    }

    /// Makes a HEAD; throws `malformed` for an impossible position, a log id that is not 16 bytes or a hash that is not 32.
    public init(logID: [UInt8], place: UInt64, hash: [UInt8]) throws(HSIPError) {
        guard MachineCode.places.contains(place) else { throw .malformed }
        self.logID = try logID.sized(16)
        self.place = place
        self.hash = try hash.sized(32)
    }

    /// The exact encoding.
    public var bytes: [UInt8] {
        [CodeHeader.version, MachineCode.Kind.head.rawValue] + logID + place.bigEndianBytes + hash
    }

    /// The number to read aloud or to type where heads are compared; computing it needs a tenth of a second.
    public func number() throws(HSIPError) -> MachineNumber {
        try MachineNumber(of: MachineCode.label("head-number") + logID + place.bigEndianBytes + hash)
    }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { MachineCode.head(self).text }
}
