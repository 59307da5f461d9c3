package import HSIP

/// The name of a ROTATE, which is all there is of it: who made it, under which key, which attempt.
///
/// `copy` tells apart two codes that agree in everything else, each with a one-time key of its own. The
/// machine as it is never makes a second one; a broken one may.
package struct RotateName: Hashable, Sendable {
    /// The epoch it starts from.
    package let parent: KeyName
    /// Its author.
    package let author: Side
    /// Its suite.
    package let suite: Suite
    /// 1...7.
    package let attempt: UInt8
    /// 0...3.
    package let copy: UInt8

    /// How many attempts a name has room for.
    package static let highestAttempt = 7
    /// How many codes may agree in everything but their one-time key.
    package static let copies: UInt8 = 4

    /// Names a ROTATE.
    package init(parent: KeyName, author: Side, suite: Suite = .two, attempt: UInt8, copy: UInt8) {
        self.parent = parent
        self.author = author
        self.suite = suite
        self.attempt = attempt
        self.copy = copy
    }
}

extension RotateName: CustomStringConvertible {
    /// Like `A1`, behind the rotations that made its parent: `A1.B2`; in small letters in suite 01.
    package var description: String {
        let author = suite == .two ? author.description : author.description.lowercased()
        let own = "\(author)\(attempt)" + String(repeating: "'", count: Int(copy))
        return parent.epoch == 0 ? own : "\(parent).\(own)"
    }
}
