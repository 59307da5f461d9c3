/// One step of one side.
package struct RotationStep: Hashable, Sendable {
    /// Who.
    package let side: Side
    /// What.
    package let act: Act
    /// The state was written, but the code or message never got out: a crash after the commit.
    package let isLost: Bool
}
