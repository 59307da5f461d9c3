/// What a machine may do with the log.
package enum MachineRole: UInt8, Hashable, Sendable, CaseIterable {
    /// It left; the next keeper removes it.
    case left = 0
    /// Everything.
    case keeper = 1
    /// Changes of objects, and of itself.
    case writer = 2
    /// Nothing but reading.
    case reader = 3

    /// Whether it may write entries.
    package var writes: Bool { self == .keeper || self == .writer }

    /// Whether a certificate may name it.
    var isGiven: Bool { self != .left }
}
