package import VaultCrypto

/// The digest of a register, the unit of merging: one field of a record, or one element of a set.
///
/// An index keeps eight bytes of each register as the log has it, which show a change without the older
/// content.
package struct RegisterDigest: Hashable, Sendable {
    /// Bytes of a digest in an index.
    package static let size = 8

    /// H(L(register) ‖ value)[0..8].
    package let bytes: [UInt8]

    /// Reads a digest from an index; nil for a wrong number of bytes.
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
    /// Bytes that determine the value.
    var registerBytes: [UInt8] { get }
}

extension RegisterValue {
    /// The digest for an index.
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

/// Merges the registers of one object: the values here and those of the log, compared with the index.
package struct RegisterMerge: Sendable {
    /// The registers at the last entry that this machine applied; empty for an object that both sides
    /// created.
    private let base: [RegisterDigest]
    private var next = 0
    /// The number of registers that both sides changed, so that one change was lost.
    package private(set) var losses = 0
    /// Whether a change was lost.
    package var hasLoss: Bool { losses > 0 }

    /// A merge against an index.
    package init(base: [RegisterDigest]) { self.base = base }

    /// The value of the next register, in the order of the index.
    ///
    /// - Parameters:
    ///   - mine: the value of the record here.
    ///   - theirs: the value of the log.
    ///   - losesNothing: whether dropping one of two changes loses nothing, as for two dates of first sight.
    ///   - both: chooses if both sides changed; by default the log's value.
    /// - Returns: the merged value.
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

/// Merges a set whose elements are registers: both sides' additions and removals apply.
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
