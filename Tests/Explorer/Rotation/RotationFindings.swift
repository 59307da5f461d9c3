/// What a walk over rotation has found.
package struct RotationFindings: Sendable {
    /// The bounds of the walk.
    package let bounds: RotationBounds
    /// States reached; not all of them if a promise was broken, which ends the walk.
    package let states: Int
    /// Steps taken.
    package let transitions: Int
    /// The broken promise and the shortest way to it.
    package let flaw: (flaw: RotationFlaw, trace: [String])?
    /// States in which the side ahead has an attempt left and yet the two never share a key again.
    package let stuck: Int
    /// States in which an attempt is left and yet the two never share a key of a later epoch.
    package let unrenewed: Int
    /// States from which no common key is reached because the bounds leave no further attempt.
    package let endedByBounds: Int
    /// The shortest way to the first stuck state.
    package let stuckTrace: [String]?

    /// Everything holds.
    package var isSound: Bool { flaw == nil && stuck == 0 && unrenewed == 0 }

    /// Walks the machine, as it is or with a mistake around it.
    ///
    /// - Throws: `tooManyNames` if the bounds are too wide.
    package init(bounds: RotationBounds, mistake: RotationMistake? = nil) throws(ExplorerError) {
        var model = RotationModel(bounds: bounds, mistake: mistake)
        let graph = try Graph(walking: &model)
        self.bounds = bounds
        states = graph.states.count
        transitions = graph.stepCount
        if let found = graph.flaw {
            flaw = (found.flaw, model.words(for: graph.trace(to: found.state)))
            (stuck, unrenewed, endedByBounds, stuckTrace) = (0, 0, 0, nil)
            return
        }
        flaw = nil
        let agreeing = graph.reaching { model.facts($0, .a).key == model.facts($0, .b).key }
        var stuck = 0
        var ended = 0
        var firstStuck: Int?
        for (number, state) in graph.states.enumerated() where !agreeing[number] {
            if model.hasAttemptLeft(state) {
                stuck += 1
                firstStuck = firstStuck ?? number
            } else {
                ended += 1
            }
        }
        var unrenewed = 0
        for epoch in 0..<UInt32(bounds.epochs) {
            let renewing = graph.reaching {
                model.facts($0, .a).epoch > epoch && model.facts($0, .b).epoch > epoch
            }
            for (number, state) in graph.states.enumerated() where !renewing[number] {
                guard model.hasAttemptLeft(state), model.highestEpoch(state) == epoch else { continue }
                unrenewed += 1
                firstStuck = firstStuck ?? number
            }
        }
        self.stuck = stuck
        self.unrenewed = unrenewed
        endedByBounds = ended
        stuckTrace = firstStuck.map { model.words(for: graph.trace(to: $0)) }
    }
}
