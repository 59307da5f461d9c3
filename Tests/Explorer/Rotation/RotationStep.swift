/// One step of one side.
public struct RotationStep: Hashable, Sendable {
    /// Who.
    public let side: Side
    /// What.
    public let act: Act
    /// The state was written, but the code or message never got out: a crash after the commit.
    public let isLost: Bool
}
