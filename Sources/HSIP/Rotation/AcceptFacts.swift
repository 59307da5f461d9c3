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
    /// Stamp, lifetime and limit.
    var terms: Terms { get }
}
