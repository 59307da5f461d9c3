/// My own ROTATE that waits for its ACCEPT.
public struct RotationAttempt<Scheme: RotationScheme>: Sendable {
    /// The code, shown again as it is.
    public let rotate: Scheme.Rotate
    /// Its one-time secret.
    public let ephemeral: Scheme.Ephemeral

    /// An attempt, fresh or as it was stored.
    public init(rotate: Scheme.Rotate, ephemeral: Scheme.Ephemeral) {
        self.rotate = rotate
        self.ephemeral = ephemeral
    }
}
