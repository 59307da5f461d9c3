internal import VaultCrypto

/// A code that one machine of a person shows to another (Schemas/carriers.md section 1): JOIN, ADMIT and HEAD.
///
/// The codes have the text form of the codes between people, and the same extraction finds them, but only the
/// commands for machines accept them.
public enum MachineCode: Hashable, Sendable {
    case join(JoinCode)
    case admit(AdmitCode)
    case head(HeadCode)

    /// The purpose of a code: its second byte, and the word in its text.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, Codable {
        case join = 8
        case admit = 9
        case head = 10

        /// The human-readable part of the bech32m text, in lower case.
        public var hrp: String {
            switch self {
            case .join: "join"
            case .admit: "admit"
            case .head: "head"
            }
        }

        /// Whether the code begins with the 14-byte header; HEAD has none.
        public var hasHeader: Bool { self != .head }
    }

    /// Reads a code; its second byte names the kind.
    ///
    /// - Throws: `malformed` for another kind; `unsupportedVersion` for any version but 01; otherwise the errors of the kind.
    public init(bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count >= 2 else { throw .malformed }
        guard bytes[0] == CodeHeader.version else { throw .unsupportedVersion }
        switch Kind(rawValue: bytes[1]) {
        case .join: self = .join(try JoinCode(bytes: bytes))
        case .admit: self = .admit(try AdmitCode(bytes: bytes))
        case .head: self = .head(try HeadCode(bytes: bytes))
        case nil: throw .malformed
        }
    }

    /// The purpose of the code.
    public var kind: Kind {
        switch self {
        case .join: .join
        case .admit: .admit
        case .head: .head
        }
    }

    /// The exact encoding.
    public var bytes: [UInt8] {
        switch self {
        case .join(let code): code.bytes
        case .admit(let code): code.bytes
        case .head(let code): code.bytes
        }
    }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, hrp: kind.hrp) }

    /// Positions in a log; no log reaches half of all numbers, so adding to a position cannot overflow.
    static let places = 1..<UInt64(Int64.max)

    /// L(x) of the protocol between machines: ASCII `HSIP-LOG/1 `, x, 00.
    static func label(_ name: String) -> [UInt8] { Array("HSIP-LOG/1 ".utf8) + Array(name.utf8) + [0] }
}

extension MachineCode.Kind {
    /// The length in bytes of a code of this kind; nil until `head` has the bytes that decide it.
    ///
    /// - Throws: `malformed` for a name that is empty or longer than 40 bytes, and for a sealed part that is too short or
    ///   has an address of more than 256 bytes.
    func byteCount(decidedBy head: [UInt8]) throws(HSIPError) -> Int? {
        switch self {
        case .head: return HeadCode.byteCount
        case .join:
            guard head.count > JoinCode.nameOffset else { return nil }
            let length = Int(head[JoinCode.nameOffset])
            guard JoinCode.nameSizes.contains(length) else { throw .malformed }
            return JoinCode.fixedCount + length
        case .admit:
            guard head.count >= AdmitCode.sealedOffset else { return nil }
            let length = Int(head[AdmitCode.sealedOffset - 2]) << 8 | Int(head[AdmitCode.sealedOffset - 1])
            guard AdmitCode.sealedSizes.contains(length) else { throw .malformed }
            return AdmitCode.fixedCount + length
        }
    }

    /// The number of bytes that `byteCount(decidedBy:)` needs.
    var decidingCount: Int {
        switch self {
        case .head: 0
        case .join: JoinCode.nameOffset + 1
        case .admit: AdmitCode.sealedOffset
        }
    }
}

/// The header of a JOIN or ADMIT: the header of a code between people, with life and limit zero.
struct MachineHeader: Hashable, Sendable {
    /// The third byte: codes between machines use X25519 alone.
    static let suite = Suite.one.rawValue
    /// Validity of a code unless the user chooses another, in minutes.
    static let usualTTL: UInt16 = 15
    /// The longest validity of a code, in minutes: one day.
    static let longestTTL: UInt16 = 1_440

    let kind: MachineCode.Kind
    /// When the code was made, Unix seconds by its author's clock; fits 32 bits.
    let issued: UInt64
    let ttlMinutes: UInt16

    init(kind: MachineCode.Kind, issued: UInt64, ttlMinutes: UInt16) throws(HSIPError) {
        guard kind.hasHeader, issued <= UInt64(UInt32.max), (1...Self.longestTTL).contains(ttlMinutes)
        else { throw .malformed }
        self.kind = kind
        self.issued = issued
        self.ttlMinutes = ttlMinutes
    }

    /// Reads a header; checks version, kind, suite, flags and numbers in the order of
    /// `CodeHeader.init(bytes:)`.
    init(_ reader: inout CodeReader, kind: MachineCode.Kind) throws(HSIPError) {
        guard try reader.u8() == CodeHeader.version else { throw .unsupportedVersion }
        guard try reader.u8() == kind.rawValue else { throw .malformed }
        guard try reader.u8() == Self.suite else { throw .unsupportedSuite }
        guard try reader.u8() == 0 else { throw .unsupportedFlag }
        try self.init(kind: kind, issued: UInt64(try reader.u32()), ttlMinutes: try reader.u16())
        guard try reader.u32() == 0 else { throw .malformed }
    }

    var bytes: [UInt8] {
        [CodeHeader.version, kind.rawValue, Self.suite, 0]
            + UInt32(truncatingIfNeeded: issued).bigEndianBytes + ttlMinutes.bigEndianBytes + [0, 0, 0, 0]
    }

    /// The last second of the code's validity by the author's clock, without tolerance.
    var expiry: UInt64 { issued + UInt64(ttlMinutes) * 60 }

    /// Checks the time by the rule of `CodeHeader.checkTime`.
    func checkTime(wallClock: UInt64, effectiveNow: UInt64) throws(HSIPError) {
        if issued > wallClock, issued - wallClock > CodeHeader.clockTolerance {
            throw .codeFromFuture(seconds: Int64(issued - wallClock))
        }
        guard effectiveNow <= expiry + CodeHeader.clockTolerance else { throw .codeExpired }
    }
}

/// Twelve digits that a person types from one machine into another.
///
/// JOIN and ADMIT are public, so only the digits show that nobody swapped the code on the way.
///
/// Each try costs Argon2id with 3 passes over 64 MiB. So an attacker cannot have enough machines to find another
/// code with the same number within the minutes of a code's validity.
public struct MachineNumber: Hashable, Sendable {
    /// The twelve digits.
    public let digits: String

    /// The number of a code with these bytes.
    ///
    /// The computation needs a tenth of a second and 64 MiB.
    ///
    /// - Throws: `outOfMemory`.
    init(of bytes: [UInt8]) throws(HSIPError) {
        let salt = Hash.sha256(MachineCode.label("number") + bytes).prefix(PasswordHash.saltSize)
        do {
            let hash = try PasswordHash.derive(
                Hash.sha256(bytes),
                salt: Array(salt),
                parameters: PasswordHash.floor,
                count: 16
            )
            // The remainder of 128 bits, byte by byte: 10^12 * 256 fits 64 bits.
            let rest = hash.withBytes { span in
                span.copied().reduce(UInt64(0)) { ($0 << 8 | UInt64($1)) % 1_000_000_000_000 }
            }
            let shown = String(rest)
            digits = String(repeating: "0", count: 12 - shown.count) + shown
        } catch {
            throw HSIPError(error)
        }
    }

    /// Four groups of three digits, a space between.
    public var text: String {
        var out = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, place.isMultiple(of: 3) { out.append(" ") }
            out.append(digit)
        }
        return out
    }

    /// Whether `typed` is this number, in constant time; white space and hyphens are ignored.
    public func matches(_ typed: String) -> Bool {
        let bare = typed.filter { !$0.isWhitespace && $0 != "-" }
        return ConstantTime.equal(Array(bare.utf8), Array(digits.utf8))
    }
}
