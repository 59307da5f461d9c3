/// The operations on keys and codes that the rotation rules need.
///
/// The product runs the rules over real keys (`HSIPScheme`), and the explorer runs them over names. So the exhaustively
/// checked rules are the ones in the product.
public protocol RotationScheme: Sendable {
    /// The keys of one epoch on one side.
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
    /// My identity, the peer, and the source of randomness.
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

    /// Whether MAC and signature of a ROTATE verify under these keys.
    static func verifies(_ rotate: Rotate, under keys: Keys, party: Party) throws(HSIPError) -> Bool

    /// Answers a ROTATE with a fresh one-time key: the ACCEPT, and the keys and name of the new epoch.
    static func accept(
        _ rotate: Rotate,
        under keys: Keys,
        terms: Terms,
        party: Party
    ) throws(HSIPError) -> (accept: Accept, keys: Keys, name: Name)

    /// Checks an ACCEPT of my own ROTATE and derives the new epoch; throws `badSignature`, `badKey` or `lapsed`.
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

/// The two parties of a pairing, from my side.
public protocol RotationParty {
    /// Whether my PeerID is the lower one: of two attempts with equal number, mine then ranks higher.
    var isLower: Bool { get }
}

/// The fields of an ACCEPT that the rules read.
public protocol AcceptFacts: Sendable {
    associatedtype Name: Hashable
    associatedtype RotateName: Hashable
    /// The epoch from which the code starts.
    var parent: Name { get }
    /// The epoch that the code makes.
    var epoch: UInt32 { get }
    /// The ROTATE that the code answers.
    var rotateName: RotateName { get }
    /// The suite of the exchanges.
    var suite: Suite { get }
    /// Stamp, lifetime and limit.
    var terms: Terms { get }
}

/// The fields of a ROTATE that the rules read.
public protocol RotateFacts: Sendable {
    associatedtype Name: Hashable
    associatedtype RotateName: Hashable
    /// The epoch from which the code starts.
    var parent: Name { get }
    /// The epoch that the code would make.
    var epoch: UInt32 { get }
    /// The number of the attempt towards that epoch.
    var attempt: UInt16 { get }
    /// The name of this ROTATE.
    var rotateName: RotateName { get }
    /// The suite of the exchanges.
    var suite: Suite { get }
    /// Stamp, lifetime and limit.
    var terms: Terms { get }
}

/// The keys of an epoch, and the ways to end them.
public protocol EpochKeyring: Sendable {
    /// Whether the key for messages of the peer is still present.
    var canReceive: Bool { get }
    /// Whether the chain and the rotation key are still present.
    var canRotate: Bool { get }
    /// Ends a replaced epoch: keeps the keys for late messages and late codes, drops chain and send key.
    mutating func retire()
    /// Drops the receive key after the grace time.
    mutating func endReceiving()
    /// Drops all remaining keys, when the epoch is too old even to be renewed.
    mutating func endChain()
}
