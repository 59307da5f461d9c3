internal import HSIP

/// The keys of an epoch as a name, with a mark for each key that is still there.
package struct NameKeys: EpochKeyring, Hashable {
    /// Which keys.
    package let name: KeyName
    /// The key for sealing is there.
    package private(set) var canSend = true
    package private(set) var canReceive = true
    /// The key that MACs a ROTATE is there.
    package private(set) var canCheck = true
    /// The chain is there.
    package private(set) var canChain = true

    /// All keys of an epoch.
    package init(_ name: KeyName) { self.name = name }

    package var canRotate: Bool { canChain && canCheck }

    package mutating func retire() {
        canSend = false
        canChain = false
    }

    package mutating func endReceiving() {
        canReceive = false
        canSend = false
    }

    package mutating func endChain() {
        endReceiving()
        canCheck = false
        canChain = false
    }

    /// The marks as bits.
    var bits: UInt32 {
        (canSend ? 1 : 0) | (canReceive ? 2 : 0) | (canCheck ? 4 : 0) | (canChain ? 8 : 0)
    }
}
