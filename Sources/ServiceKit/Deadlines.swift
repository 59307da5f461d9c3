/// What is done when a time has come, unless it is called off; used by one thread.
struct Deadlines {
    private var acts: [(end: ContinuousClock.Instant, key: String, act: () -> Void)] = []

    /// Has something done after some seconds.
    mutating func add(_ key: String, seconds: Int, _ act: @escaping () -> Void) {
        acts.append((.now + .seconds(seconds), key, act))
    }

    /// Calls it off.
    mutating func remove(_ key: String) { acts.removeAll { $0.key == key } }

    /// Milliseconds until the next one, for poll(2); -1 for none.
    var milliseconds: Int32 {
        guard let first = acts.map(\.end).min() else { return -1 }
        let rest = first - .now
        return rest <= .zero ? 0 : Int32(clamping: rest.components.seconds * 1_000 + 999)
    }

    /// Takes those whose time has come.
    mutating func takeDue() -> [() -> Void] {
        let now = ContinuousClock.now
        let due = acts.filter { $0.end <= now }
        acts.removeAll { $0.end <= now }
        return due.map(\.act)
    }
}
