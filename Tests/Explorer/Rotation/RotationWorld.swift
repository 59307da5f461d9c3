/// Both sides and everything that is on its way, in 24 bytes.
package struct RotationWorld: Hashable, Sendable {
    /// A's state, a number.
    var a: UInt32
    /// B's state, a number.
    var b: UInt32
    /// What was shown or sent and not lost at once.
    var known = ItemSet()

    /// The number of a side's state.
    subscript(side: Side) -> UInt32 {
        get { side == .a ? a : b }
        set { if side == .a { a = newValue } else { b = newValue } }
    }
}
