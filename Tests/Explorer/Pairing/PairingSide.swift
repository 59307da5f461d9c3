/// What one side knows of the other: its pairings, its offers, and whose offers it has answered.
package struct PairingSide: Hashable, Sendable {
    /// Pairings that it has keys of.
    var held = Numbers()
    /// Those that it has seen a sign of the peer under.
    var confirmed = Numbers()
    /// Those under which it sends no more.
    var muted = Numbers()
    /// Those that a fifth pairing has ended.
    var pushedOut = Numbers()
    /// How many offers it has made.
    var offersMade: UInt8 = 0
    /// Its own offers that an answer came to.
    var answered = Numbers()
    /// Offers of the other side that it has answered.
    var taken = Numbers()

    /// Gains a pairing.
    mutating func add(_ number: Int, isConfirmed: Bool) {
        held.insert(number)
        if isConfirmed { confirmed.insert(number) }
    }

    /// Ends a pairing: its keys are gone.
    mutating func end(_ number: Int) {
        held.remove(number)
        confirmed.remove(number)
        muted.remove(number)
    }

    /// Sends no more under all pairings but one.
    mutating func mute(allBut kept: Int) {
        for number in held.all where number != kept { muted.insert(number) }
    }
}
