/// Epoch n+1 as its responder holds it: ready to receive, not yet in use.
public struct PreparedEpoch<Scheme: RotationScheme>: Sendable {
    /// The new epoch.
    public var epoch: Epoch<Scheme>
    /// The ACCEPT, kept so that showing it again never makes another key.
    public let accept: Scheme.Accept
    /// The ROTATE it answers.
    public let rotateName: Scheme.RotateName
    /// The attempt of that ROTATE: its rank against others.
    public let attempt: UInt16

    /// A prepared epoch, fresh or as it was stored.
    public init(
        epoch: Epoch<Scheme>,
        accept: Scheme.Accept,
        rotateName: Scheme.RotateName,
        attempt: UInt16
    ) {
        self.epoch = epoch
        self.accept = accept
        self.rotateName = rotateName
        self.attempt = attempt
    }
}
