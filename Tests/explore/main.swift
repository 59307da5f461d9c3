internal import Explorer

for (e, a, l) in [(1, 2, 1), (1, 3, 1), (2, 1, 2), (2, 2, 1), (3, 1, 1)] {
    let clock = ContinuousClock()
    let start = clock.now
    let f = try RotationFindings(bounds: RotationBounds(epochs: e, attempts: a, limit: l))
    print(e, a, l, f.states, f.transitions, f.flaw as Any, f.stuck, f.unrenewed, f.endedByBounds, start.duration(to: clock.now))
}
