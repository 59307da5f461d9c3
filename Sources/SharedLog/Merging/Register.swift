package import VaultCrypto

/// What is merged on its own: one field of a record, or one element of a set.
///
/// An index keeps eight bytes of each register as the log has it, so that a change is seen without the older content.
package struct RegisterDigest: Hashable, Sendable {
    /// Bytes of one in an index.
    package static let size = 8

    /// H(L(register) ‖ value)[0..8].
    package let bytes: [UInt8]

    /// A digest as an index has it; nil for another number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// The digest of a public value.
    package init(of value: [UInt8]) {
        bytes = Array(Hash.sha256(LogLabel.register.bytes + value).prefix(Self.size))
    }

    /// The digest of a secret value.
    ///
    /// - Throws: `outOfMemory`.
    package init(of value: Secret) throws(LogError) {
        bytes = Array(try value.hash(.register).prefix(Self.size))
    }
}

/// A value that a register can have.
package protocol RegisterValue: Equatable {
    /// Bytes that say everything about it.
    var registerBytes: [UInt8] { get }
}

extension RegisterValue {
    /// What an index keeps of it.
    package var registerDigest: RegisterDigest { RegisterDigest(of: registerBytes) }
}

extension UInt8: RegisterValue {
    package var registerBytes: [UInt8] { [self] }
}
extension UInt32: RegisterValue {
    package var registerBytes: [UInt8] { bigEndianBytes }
}
extension UInt64: RegisterValue {
    package var registerBytes: [UInt8] { bigEndianBytes }
}
extension Bool: RegisterValue {
    package var registerBytes: [UInt8] { [self ? 1 : 0] }
}
extension String: RegisterValue {
    package var registerBytes: [UInt8] { Array(utf8) }
}
extension Array: RegisterValue where Element: RegisterValue {
    package var registerBytes: [UInt8] {
        reduce(into: []) { $0 += UInt32($1.registerBytes.count).bigEndianBytes + $1.registerBytes }
    }
}

/// Merges the registers of one object: what this machine has, and what the log has, against the index.
package struct RegisterMerge: Sendable {
    /// The registers at the last entry that this machine took; empty for an object that both made apart.
    private let base: [RegisterDigest]
    private var next = 0
    /// How many registers had two changes, one of which lost.
    package private(set) var losses = 0
    /// Whether any had.
    package var hasLoss: Bool { losses > 0 }

    /// A merge against an index.
    package init(base: [RegisterDigest]) { self.base = base }

    /// The value of the next register, in the order of the index.
    ///
    /// - Parameters:
    ///   - mine: what the record here has.
    ///   - theirs: what the log has.
    ///   - losesNothing: what the other change says is not missed, as of two days of a first sight.
    ///   - both: which one counts if both are changes; the log's without it.
    /// - Returns: the value that counts.
    package mutating func pick<Value: RegisterValue>(
        _ mine: Value,
        _ theirs: Value,
        losesNothing: Bool = false,
        both: (Value, Value) -> Value = { $1 }
    ) -> Value {
        defer { next += 1 }
        guard mine != theirs else { return theirs }
        let known = next < base.count ? base[next] : nil
        if mine.registerDigest == known { return theirs }
        if theirs.registerDigest == known { return mine }
        let value = both(mine, theirs)
        if !losesNothing { losses += 1 }
        return value
    }
}

/// Merges a set whose elements are registers: what one side added or removed is added or removed.
package enum SetMerge {
    /// The set, without a particular order.
    package static func merge<Element: RegisterValue & Hashable>(
        base: Set<RegisterDigest>,
        mine: some Sequence<Element>,
        theirs: some Sequence<Element>
    ) -> Set<Element> {
        let (mine, theirs) = (Set(mine), Set(theirs))
        let new = mine.symmetricDifference(theirs).filter { !base.contains($0.registerDigest) }
        return mine.intersection(theirs).union(new)
    }
}
