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
    /// Stamp, lifetime and limit.
    var terms: Terms { get }
}
