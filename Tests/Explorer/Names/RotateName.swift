/// The name of a ROTATE, which is all there is of it: who made it, under which key, which attempt.
///
/// `copy` tells apart two codes that agree in everything else, each with a one-time key of its own. The machine as
/// it is never makes a second one; a broken one may.
public struct RotateName: Hashable, Sendable {
    /// The epoch it starts from.
    public let parent: KeyName
    /// Its author.
    public let author: Side
    /// 1...7.
    public let attempt: UInt8
    /// 0...3.
    public let copy: UInt8

    /// How many attempts a name has room for.
    public static let highestAttempt = 7
    /// How many codes may agree in everything but their one-time key.
    public static let copies: UInt8 = 4
}

extension RotateName: CustomStringConvertible {
    /// Like `A1`, behind the rotations that made its parent: `A1.B2`.
    public var description: String {
        let own = "\(author)\(attempt)" + String(repeating: "'", count: Int(copy))
        return parent.epoch == 0 ? own : "\(parent).\(own)"
    }
}
