/// A step of one side as numbers: what it does, what the side becomes, and what it puts on its way.
struct LocalStep: Sendable {
    let act: Act
    /// The side afterwards, a number of its `StepTable`.
    let peer: UInt32
    /// The item that may go out; nil if the act shows nothing.
    let output: UInt8?
    /// The step makes a one-time key, and this number tells it from others.
    let copy: UInt8?
    /// If one of these items is known, the copy is taken: somebody may hold a key of that name.
    let marks: ItemSet

    /// The name of its one-time key is not free.
    func isTaken(in known: ItemSet) -> Bool {
        var marks = marks
        while let mark = marks.popFirst() {
            if known.contains(mark) { return true }
        }
        return false
    }
}
