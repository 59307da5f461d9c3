/// The keys of an epoch and the ways they end.
public protocol EpochKeyring: Sendable {
    /// The key for messages of the peer is still there.
    var canReceive: Bool { get }
    /// The chain and the rotation key are still there.
    var canRotate: Bool { get }
    /// The epoch was replaced: keeps what opens late messages and late codes, drops chain and send key.
    mutating func retire()
    /// The grace time is over: drops the receive key.
    mutating func endReceiving()
    /// Too old even to be renewed: drops everything that is left.
    mutating func endChain()
}
