internal import HSIP

/// Two people, and a third when one is needed, under one clock.
public final class Duo {
    /// The clock of all.
    public let clock = TestClock()
    /// Made the first offer, when they are paired.
    public let alice: TestPeer
    /// Answered it.
    public let bob: TestPeer

    /// Two who do not know each other.
    public init() throws {
        alice = try TestPeer("Alice", clock: clock)
        bob = try TestPeer("Bob", clock: clock)
    }

    /// Two who go on from what was stored, with other randomness.
    public init(alice: TestPeer.Stored, bob: TestPeer.Stored, seed: String) {
        self.alice = TestPeer(alice, clock: clock, seed: seed + " alice")
        self.bob = TestPeer(bob, clock: clock, seed: seed + " bob")
    }

    /// Two who paired just now; Bob has not read anything yet.
    ///
    /// The pairing itself is the same in every test, since its emoji cost a fifth of a second; what comes
    /// after is as random as `seed` says.
    public static func paired(seed: String = "paired") throws -> Duo {
        let pair = try Pair.standard.get()
        return Duo(alice: pair.alice, bob: pair.bob, seed: seed)
    }

    /// Two who paired and have both heard of each other.
    public static func acquainted(seed: String = "acquainted") throws -> Duo {
        let duo = try paired(seed: seed)
        try duo.alice.say("hello", to: duo.bob)
        try duo.bob.say("hello yourself", to: duo.alice)
        return duo
    }

    /// Someone else.
    public func stranger(_ name: String = "Carol") throws -> TestPeer {
        try TestPeer(name, clock: clock)
    }

    private struct Pair: Sendable {
        let alice: TestPeer.Stored
        let bob: TestPeer.Stored

        static let standard = Result { () throws -> Pair in
            let duo = try Duo()
            try duo.alice.pair(with: duo.bob)
            return Pair(alice: duo.alice.stored, bob: duo.bob.stored)
        }
    }
}
