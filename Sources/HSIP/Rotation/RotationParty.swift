/// The two ends of a pairing, seen from one of them.
public protocol RotationParty {
    /// My PeerID is the lower one: of two attempts with equal number, mine ranks higher.
    var isLower: Bool { get }
}
