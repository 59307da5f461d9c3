internal import HSIP

extension RotationModel {
    /// The epoch of the side ahead.
    func highestEpoch(_ state: RotationWorld) -> UInt32 {
        max(facts(state, .a).epoch, facts(state, .b).epoch)
    }

    /// The side ahead, or either if they are even, can start once more within the bounds.
    func hasAttemptLeft(_ state: RotationWorld) -> Bool {
        let highest = highestEpoch(state)
        return Side.allCases.contains { side in
            facts(state, side).epoch == highest && facts(state, side).hasAttemptLeft
        }
    }

    /// A trace in words: `A.start(A1) B.accept(A1) A.finish(A1)`.
    func words(for trace: [RotationStep]) -> [String] {
        var state = initial
        var words: [String] = []
        for step in trace {
            words.append(word(for: step, in: state))
            guard let next = successor(of: state, by: step) else { break }
            state = next
        }
        return words
    }

    private func successor(of state: RotationWorld, by step: RotationStep) -> RotationWorld? {
        var model = self
        var steps: [(step: RotationStep, state: RotationWorld)] = []
        guard (try? model.expand(state, into: &steps)) != nil else { return nil }
        return steps.first { $0.step == step }?.state
    }

    private func word(for step: RotationStep, in state: RotationWorld) -> String {
        let peer = peer(state, step.side)
        let what: String
        switch step.act {
        case .start:
            let attempt = UInt8(peer.rotation.seenAttempt + 1)
            let parent = peer.rotation.current.name
            let suite: Suite = peer.isNew && !peer.isMarked ? .two : .one
            let rotate = RotateName(
                parent: parent,
                author: step.side,
                suite: suite,
                attempt: attempt,
                copy: 0
            )
            what = "start(\(rotate))"
        case .show: what = "show"
        case .send:
            let current = peer.rotation.current
            let isForced = !current.maySeal(at: Machine.moment)
            what = "send(\(isForced ? peer.rotation.next?.epoch.name ?? current.name : current.name))"
        case .mark: what = "mark"
        case .update: what = "update"
        case .endGrace(let index): what = "endGrace(\(peer.rotation.past[Int(index)].epoch.name))"
        case .take(let number):
            switch item(number) {
            case .rotate(let rotate):
                let isOld = peer.rotation.past.contains { $0.epoch.name == rotate.parent }
                what = "\(isOld ? "learnFrom" : "accept")(\(rotate))"
            case .accept(let key): what = "finish(\(key))"
            case .message(_, let key): what = "read(\(key))"
            }
        }
        return "\(step.side).\(what)\(step.isLost ? " lost" : "")"
    }
}
