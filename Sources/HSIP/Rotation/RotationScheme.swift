/// The keys and codes as the rotation rules need them, and nothing else.
///
/// The product runs the rules over real keys (`HSIPScheme`), and the explorer runs them over names, so the
/// exhaustively checked rules are those that ship.
public protocol RotationScheme: Sendable {
    /// The keys of one epoch as one side holds them.
    associatedtype Keys: EpochKeyring
    /// The 8-byte public name of an epoch (`ref`).
    associatedtype Name: Hashable & Sendable
    /// The name of a ROTATE (`rotateRef`).
    associatedtype RotateName: Hashable & Sendable
    /// The secret half of a one-time key, or of two in suite 02.
    associatedtype Ephemeral: Sendable
    /// A ROTATE code.
    associatedtype Rotate: RotateFacts where Rotate.Name == Name, Rotate.RotateName == RotateName
    /// An ACCEPT code.
    associatedtype Accept: AcceptFacts where Accept.Name == Name, Accept.RotateName == RotateName
    /// Who I am, who the peer is, and where randomness comes from.
    associatedtype Party: RotationParty

    /// Makes the ROTATE of an attempt under the keys of epoch `epoch` - 1.
    static func rotate(
        under keys: Keys,
        name: Name,
        epoch: UInt32,
        attempt: UInt16,
        suite: Suite,
        terms: Terms,
        party: Party
    ) throws(HSIPError) -> (Rotate, Ephemeral)

    /// True if MAC and signature of a ROTATE verify under these keys.
    static func verifies(_ rotate: Rotate, under keys: Keys, party: Party) throws(HSIPError) -> Bool

    /// Answers a ROTATE with a fresh one-time key: the ACCEPT, and the keys and name of the new epoch.
    static func accept(
        _ rotate: Rotate,
        under keys: Keys,
        terms: Terms,
        party: Party
    ) throws(HSIPError) -> (accept: Accept, keys: Keys, name: Name)

    /// Checks an ACCEPT of my own ROTATE and derives the new epoch; throws `badSignature` or `badKey`.
    ///
    /// The ACCEPT has the suite of the ROTATE.
    static func finish(
        _ accept: Accept,
        of rotate: Rotate,
        ephemeral: Ephemeral,
        under keys: Keys,
        party: Party
    ) throws(HSIPError) -> (keys: Keys, name: Name)
}

/// The two ends of a pairing, seen from one of them.
public protocol RotationParty {
    /// My PeerID is the lower one: of two attempts with equal number, mine ranks higher.
    var isLower: Bool { get }
}

/// The fields of an ACCEPT that the rules read.
public protocol AcceptFacts: Sendable {
    associatedtype Name: Hashable
    associatedtype RotateName: Hashable
    /// The epoch it starts from.
    var parent: Name { get }
    /// The epoch it makes.
    var epoch: UInt32 { get }
    /// The ROTATE it answers.
    var rotateName: RotateName { get }
    /// The exchanges of it.
    var suite: Suite { get }
    /// Stamp, lifetime and limit.
    var terms: Terms { get }
}

/// The fields of a ROTATE that the rules read.
public protocol RotateFacts: Sendable {
    associatedtype Name: Hashable
    associatedtype RotateName: Hashable
    /// The epoch it starts from.
    var parent: Name { get }
    /// The epoch it would make.
    var epoch: UInt32 { get }
    /// Which attempt towards that epoch.
    var attempt: UInt16 { get }
    /// Its own name.
    var rotateName: RotateName { get }
    /// The exchanges of it.
    var suite: Suite { get }
    /// Stamp, lifetime and limit.
    var terms: Terms { get }
}

/// The keys of an epoch and the ways they end.
public protocol EpochKeyring: Sendable {
    /// The key for messages of the peer is still there.
    var canReceive: Bool { get }
    /// The chain and the rotation key are still there.
    var canRotate: Bool { get }
    /// The epoch was replaced: keeps what opens late messages and late codes, drops chain and send key.
    mutating func retire()
    /// Drops the receive key after the grace time.
    mutating func endReceiving()
    /// Drops everything that is left, when the epoch is too old even to be renewed.
    mutating func endChain()
}
