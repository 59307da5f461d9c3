internal import HSIP

/// Two people who pair, or pair again, with crossing offers: the product's own order of pairings decides.
///
/// Pairing 0 is the older one; 1 and 2 come from the first offers of A and B, 3 and 4 from their second ones.
package struct PairingModel: GraphModel {
    /// What they start from.
    package let scenario: PairingScenario
    package let initial: PairingWorld
    private let mistake: PairingMistake?
    let transcripts: [[UInt8]]

    /// The rule as it is, or with another meaning of `fresh`.
    package init(_ scenario: PairingScenario, mistake: PairingMistake? = nil) {
        self.scenario = scenario
        self.mistake = mistake
        transcripts = (0...4).map { number in
            // The first byte decides between equal stamps, the second tells the pairings apart.
            [UInt8(scenario.laterRanksHigher ? number : 255 - number), UInt8(number)]
                + [UInt8](repeating: 0, count: 30)
        }
        var world = PairingWorld()
        if scenario.hasOlder {
            if scenario.loss != .lost { world.a.add(0, isConfirmed: true) }
            world.b.add(0, isConfirmed: true)
        }
        initial = world
    }

    package mutating func expand(
        _ state: PairingWorld,
        into steps: inout [(step: PairingStep, state: PairingWorld)]
    ) throws(ExplorerError) {
        for side in Side.allCases {
            offer(side, state, &steps)
            for number in state.offers.all {
                if author(number) == side {
                    take(number, side, state, &steps)
                } else {
                    answer(number, side, state, &steps)
                }
            }
            if let number = sending(state, side), !state.sent(by: side).contains(number) {
                var next = state
                next.send(number, by: side)
                steps.append((PairingStep(side: side, act: .send, number: number), next))
            }
            for number in state.sent(by: side.other).all { read(number, side, state, &steps) }
        }
    }

    /// An offer, fresh if the offerer has no pairing with the other that could seal.
    private func offer(
        _ side: Side,
        _ state: PairingWorld,
        _ steps: inout [(step: PairingStep, state: PairingWorld)]
    ) {
        guard state[side].offersMade < scenario.offersEach else { return }
        let number = 1 + 2 * Int(state[side].offersMade) + Int(side.rawValue)
        var next = state
        next[side].offersMade += 1
        next.offers.insert(number)
        if scenario.isBound, !state[side].held.all.contains(where: { !isRestored($0, side) }) {
            next.fresh.insert(number)
        }
        steps.append((PairingStep(side: side, act: .offer, number: number), next))
    }

    /// Takes the other's offer: the answer, or the same answer again.
    private func answer(
        _ number: Int,
        _ side: Side,
        _ state: PairingWorld,
        _ steps: inout [(step: PairingStep, state: PairingWorld)]
    ) {
        var next = state
        if state[side].taken.contains(number) {
            guard state[side].held.contains(number), !state.answers.contains(number) else { return }
            next.answers.insert(number)
            steps.append((PairingStep(side: side, act: .show, number: number), next))
            return
        }
        next[side].taken.insert(number)
        next.setStamp(
            number,
            PairingOrder.answerStamp(wallClock: scenario.clock(side), entries: entries(state, side))
        )
        next[side].add(number, isConfirmed: false)
        guard muteOthers(of: number, side, &next) else { return }
        endSurplus(side, besides: number, &next)
        steps.append((PairingStep(side: side, act: .answer, number: number, isLost: true), next))
        next.answers.insert(number)
        steps.append((PairingStep(side: side, act: .answer, number: number), next))
    }

    /// What answering a fresh offer does to the other pairings; false if the offer is refused.
    private func muteOthers(of number: Int, _ side: Side, _ state: inout PairingWorld) -> Bool {
        guard state.fresh.contains(number) else { return true }
        switch mistake {
        case nil:
            var entries = entries(state, side)
            let fresh = entry(number, side, state)
            guard !entries.contains(where: { $0.outranks(fresh) }) else { return false }
            PairingOrder.mute(&entries, below: fresh)
            for entry in entries where entry.isMuted { state[side].muted.insert(entry.number) }
        case .mutesAll: state[side].mute(allBut: number)
        case .wipesAtConfirmation, .receiveOnlyAtConfirmation: break
        }
        return true
    }

    /// Takes the answer to one's own open offer.
    private func take(
        _ number: Int,
        _ side: Side,
        _ state: PairingWorld,
        _ steps: inout [(step: PairingStep, state: PairingWorld)]
    ) {
        guard state.answers.contains(number), !state[side].answered.contains(number) else { return }
        var next = state
        next[side].answered.insert(number)
        next[side].add(number, isConfirmed: true)
        actOnConfirmation(of: number, side, &next)
        endSurplus(side, besides: number, &next)
        steps.append((PairingStep(side: side, act: .take, number: number), next))
    }

    /// Reads a message: the first under a pairing confirms it.
    private func read(
        _ number: Int,
        _ side: Side,
        _ state: PairingWorld,
        _ steps: inout [(step: PairingStep, state: PairingWorld)]
    ) {
        guard state[side].held.contains(number), !state[side].confirmed.contains(number) else { return }
        var next = state
        next[side].confirmed.insert(number)
        actOnConfirmation(of: number, side, &next)
        steps.append((PairingStep(side: side, act: .read, number: number), next))
    }

    /// The moment at which two of the mistakes act; the rule does nothing here.
    private func actOnConfirmation(of number: Int, _ side: Side, _ state: inout PairingWorld) {
        guard state.fresh.contains(number) else { return }
        switch mistake {
        case .wipesAtConfirmation:
            for other in state[side].held.all where other != number { state[side].end(other) }
        case .receiveOnlyAtConfirmation: state[side].mute(allBut: number)
        case .mutesAll, nil: break
        }
    }

    private func endSurplus(_ side: Side, besides number: Int, _ state: inout PairingWorld) {
        let all = entries(state, side)
        guard let fifth = all.first(where: { $0.number == number })?.id,
            let surplus = PairingOrder.surplus(all, besides: fifth)
        else { return }
        state[side].end(surplus.number)
        state[side].pushedOut.insert(surplus.number)
    }
}
