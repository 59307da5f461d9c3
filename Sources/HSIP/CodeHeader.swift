internal import VaultCrypto

/// The 14 bytes at the start of every code but VERIFY (Schemas/hsip-xc1.md section 3).
///
/// They are version 01, kind, suite, flags, the time when the code was made, and the time for accepting it. The life and
/// the limit of the proposed epoch follow. The values of an existing header are in range.
public struct CodeHeader: Hashable, Sendable {
    /// The only version that this program reads and writes.
    static let version: UInt8 = 1
    /// The length of a header in bytes.
    public static let byteCount = 14
    /// How far the clocks of two people may differ, in seconds.
    public static let clockTolerance: UInt64 = 600
    /// The longest time in which a code may be accepted: seven days.
    public static let longestTTL: UInt16 = 10_080
    /// The longest life of an epoch: thirty days.
    public static let longestLife: UInt16 = 720
    /// The most messages a direction may send under one key.
    public static let highestLimit: UInt16 = 1000

    /// The kind of the code; never `verify`.
    public let kind: CodeKind
    /// The suite of the exchanges; suite 02 exists for offers, answers, rotates and accepts.
    public let suite: Suite
    /// Whether the offerer may lack its older keys (flag bit 1, offers only).
    public let isFresh: Bool
    /// When the code was made, Unix seconds by its author's clock; fits 32 bits.
    public let issued: UInt64
    /// The minutes in which the code may be accepted, 1...10,080; 0 in a revocation.
    public let ttlMinutes: UInt16
    /// The hours that the epoch lives, 1...720; 0 in a revocation.
    public let lifeHours: UInt16
    /// The messages that each direction may send in the epoch, 1...1000; 0 in a revocation.
    public let limit: UInt16

    /// A header from its values.
    ///
    /// - Throws: `malformed` if a value is out of range; `unsupportedSuite` if the kind does not have the suite;
    ///   `unsupportedFlag` for a fresh code that is not an offer.
    public init(
        kind: CodeKind,
        suite: Suite = .one,
        isFresh: Bool = false,
        issued: UInt64,
        ttlMinutes: UInt16,
        lifeHours: UInt16,
        limit: UInt16
    ) throws(HSIPError) {
        guard kind.hasHeader, issued <= UInt64(UInt32.max) else { throw .malformed }
        guard kind.suites.contains(suite) else { throw .unsupportedSuite }
        guard !isFresh || kind == .offer else { throw .unsupportedFlag }
        if kind == .revoke {
            guard ttlMinutes == 0, lifeHours == 0, limit == 0 else { throw .malformed }
        } else {
            guard (1...Self.longestTTL).contains(ttlMinutes), (1...Self.longestLife).contains(lifeHours),
                (1...Self.highestLimit).contains(limit)
            else { throw .malformed }
        }
        self.kind = kind
        self.suite = suite
        self.isFresh = isFresh
        self.issued = issued
        self.ttlMinutes = ttlMinutes
        self.lifeHours = lifeHours
        self.limit = limit
    }

    /// The header of a revocation, which never expires and proposes no epoch.
    public static func revocation(issued: UInt64) throws(HSIPError) -> CodeHeader {
        try CodeHeader(kind: .revoke, issued: issued, ttlMinutes: 0, lifeHours: 0, limit: 0)
    }

    /// A header from exactly 14 bytes.
    ///
    /// Refused in this order: `unsupportedVersion`; an unknown kind, `malformed`; `unsupportedSuite`; flag
    /// bit 0, `singleKeyRefused`; any other unknown flag, `unsupportedFlag`; a number out of range, `malformed`.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(try bytes.sized(Self.byteCount))
        guard try reader.u8() == Self.version else { throw .unsupportedVersion }
        guard let kind = CodeKind(rawValue: try reader.u8()), kind.hasHeader else { throw .malformed }
        guard let suite = Suite(rawValue: try reader.u8()), kind.suites.contains(suite) else {
            throw .unsupportedSuite
        }
        let flags = try reader.u8()
        guard flags & 0b01 == 0 else { throw .singleKeyRefused }
        guard flags & ~0b10 == 0 else { throw .unsupportedFlag }
        try self.init(
            kind: kind,
            suite: suite,
            isFresh: flags == 0b10,
            issued: UInt64(try reader.u32()),
            ttlMinutes: try reader.u16(),
            lifeHours: try reader.u16(),
            limit: try reader.u16()
        )
    }

    /// The encoded header.
    public var bytes: [UInt8] {
        [Self.version, kind.rawValue, suite.rawValue, isFresh ? 0b10 : 0]
            + UInt32(truncatingIfNeeded: issued).bigEndianBytes
            + ttlMinutes.bigEndianBytes + lifeHours.bigEndianBytes + limit.bigEndianBytes
    }
}

/// The suite of the exchanges that make an epoch's keys: the third byte of a code.
public enum Suite: UInt8, CaseIterable, Comparable, Sendable, Codable {
    /// X25519.
    case one = 1
    /// X25519 and ML-KEM-768: a future quantum computer cannot open what is recorded today.
    case two = 2

    /// The higher suite protects more.
    public static func < (a: Suite, b: Suite) -> Bool { a.rawValue < b.rawValue }
}

extension CodeHeader {
    /// Bytes of the KEM field before the closing tag or signature; 0 in suite 01.
    var kemSize: Int { kind.kemSize(suite) }

    /// The last second of the import time by the author's clock, without tolerance: issued + ttl.
    public var expiry: UInt64 { issued + UInt64(ttlMinutes) * 60 }

    /// The end of the epoch that an answer or accept with this header makes: issued + life.
    public var epochEnd: UInt64 { issued + UInt64(lifeHours) * 3600 }

    /// Refuses a code from the future or past its time.
    ///
    /// `codeFromFuture` if it was made more than 600 s ahead of `wallClock`; `codeExpired` if `effectiveNow` is
    /// more than 600 s past `expiry`. A revocation never expires. Both clocks in Unix seconds; section 3.
    public func checkTime(wallClock: UInt64, effectiveNow: UInt64) throws(HSIPError) {
        if issued > wallClock, issued - wallClock > Self.clockTolerance {
            throw .codeFromFuture(seconds: Int64(issued - wallClock))
        }
        guard kind == .revoke || effectiveNow <= expiry + Self.clockTolerance else { throw .codeExpired }
    }
}
