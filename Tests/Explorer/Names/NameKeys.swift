public import HSIP

/// The keys of an epoch as a name, with a mark for each key that is still there.
public struct NameKeys: EpochKeyring, Hashable {
    /// Which keys.
    public let name: KeyName
    /// The key for sealing is there.
    public private(set) var canSend = true
    public private(set) var canReceive = true
    /// The key that MACs a ROTATE is there.
    public private(set) var canCheck = true
    /// The chain is there.
    public private(set) var canChain = true

    /// All keys of an epoch.
    public init(_ name: KeyName) { self.name = name }

    public var canRotate: Bool { canChain && canCheck }

    public mutating func retire() {
        canSend = false
        canChain = false
    }

    public mutating func endReceiving() {
        canReceive = false
        canSend = false
    }

    public mutating func endChain() {
        endReceiving()
        canCheck = false
        canChain = false
    }

    /// The marks as bits.
    var bits: UInt32 {
        (canSend ? 1 : 0) | (canReceive ? 2 : 0) | (canCheck ? 4 : 0) | (canChain ? 8 : 0)
    }
}
