/// The terms of an epoch that a code offers: its time, its life, and its limit of messages.
public struct Terms: Hashable, Sendable {
    /// When the code was made, Unix seconds of its author's wall clock.
    public let issued: UInt64
    /// Validity of the code itself, in minutes (1...10,080).
    public let ttlMinutes: UInt16
    /// How long the epoch lives from `issued`, in hours (1...720).
    public let lifeHours: UInt16
    /// The messages that each direction may seal (1...1000).
    public let limit: UInt16

    /// The terms of a new code.
    public init(issued: UInt64, ttlMinutes: UInt16, lifeHours: UInt16, limit: UInt16) {
        self.issued = issued
        self.ttlMinutes = ttlMinutes
        self.lifeHours = lifeHours
        self.limit = limit
    }

    /// The last second at which the code is shown, without the tolerance for accepting it.
    public var codeEnd: UInt64 { issued + UInt64(ttlMinutes) * 60 }

    /// The moment after which nothing is sealed under the epoch.
    public var epochEnd: UInt64 { issued + UInt64(lifeHours) * 3600 }

    /// The longest life of an epoch and the most messages a direction may seal.
    public static let longestLifeHours: UInt16 = 720
    /// One thousand messages per key: a forward-secrecy policy, not a limit of the cipher.
    public static let highestLimit: UInt16 = 1000
    /// Seven days, unless the two agree on less.
    public static let standardLifeHours: UInt16 = 168
    /// One day for an OFFER and an ANSWER.
    public static let pairingTTLMinutes: UInt16 = 1_440
    /// A quarter of an hour if both people are in one place.
    public static let inPersonTTLMinutes: UInt16 = 15
    /// Seven days for ROTATE and ACCEPT: they are MACed, ranked and idempotent.
    public static let rotationTTLMinutes: UInt16 = 10_080
}

extension RotateCode: RotateFacts {
    /// The `ref` in the code.
    public var parent: [UInt8] { ref }
    /// `rotateRef`: of this code, or of the ROTATE that it answers.
    public var rotateName: [UInt8] { rotateRef }
    /// The terms in the code's header.
    public var terms: Terms { header.terms }
    /// The suite in the code's header.
    public var suite: Suite { header.suite }
}

extension AcceptCode: AcceptFacts {
    /// The `ref` in the code.
    public var parent: [UInt8] { ref }
    /// `rotateRef`: of this code, or of the ROTATE that it answers.
    public var rotateName: [UInt8] { rotateRef }
    /// The terms in the code's header.
    public var terms: Terms { header.terms }
    /// The suite in the code's header.
    public var suite: Suite { header.suite }
}

extension CodeHeader {
    /// The header of a code with these terms.
    init(kind: CodeKind, suite: Suite, terms: Terms, isFresh: Bool = false) throws(HSIPError) {
        try self.init(
            kind: kind,
            suite: suite,
            isFresh: isFresh,
            issued: terms.issued,
            ttlMinutes: terms.ttlMinutes,
            lifeHours: terms.lifeHours,
            limit: terms.limit
        )
    }

    /// The terms that the code promises for its epoch.
    public var terms: Terms {
        Terms(issued: issued, ttlMinutes: ttlMinutes, lifeHours: lifeHours, limit: limit)
    }
}
