internal import HSIP

extension PairingModel {
    /// Whatever a side sends, the other reads now or when it takes the answer to its open offer.
    ///
    /// Two things are not promised: that a person who lost the older pairing reads it before the other has
    /// answered a fresh offer, and that a side whose fifth pairing has ended one still reads under that one.
    package func flaw(in state: PairingWorld) -> PairingFlaw? {
        for side in Side.allCases {
            guard let number = sending(state, side) else { continue }
            let reader = state[side.other]
            if reader.held.contains(number) || reader.pushedOut.contains(number) { continue }
            if number > 0, author(number) == side.other, !reader.answered.contains(number) { continue }
            // Before its answer to a fresh offer the sender cannot know that the other lost the keys.
            let isExcused =
                number == 0 && side == .b && scenario.loss == .lost
                && state.b.taken.isDisjoint(with: state.fresh)
            if !isExcused { return .unreadable }
        }
        return nil
    }

    /// Both send, and under the same pairing.
    package func agree(_ state: PairingWorld) -> Bool {
        guard let number = sending(state, .a) else { return false }
        return number == sending(state, .b)
    }

    /// The pairing under which a side sends; nil if there is none or it is restored.
    func sending(_ state: PairingWorld, _ side: Side) -> Int? {
        guard let number = PairingOrder.sending(entries(state, side))?.number else { return nil }
        return isRestored(number, side) ? nil : number
    }

    /// The older pairing at A after a restore.
    func isRestored(_ number: Int, _ side: Side) -> Bool {
        side == .a && number == 0 && scenario.loss == .restored
    }

    /// Who made the offer of a pairing (1...4).
    func author(_ number: Int) -> Side { number % 2 == 1 ? .a : .b }

    /// A side's pairings as the product keeps them.
    func entries(_ state: PairingWorld, _ side: Side) -> [PairingEntry] {
        state[side].held.all.map { entry($0, side, state) }
    }

    /// One of a side's pairings; the older one was offered by A.
    func entry(_ number: Int, _ side: Side, _ state: PairingWorld) -> PairingEntry {
        let transcript = transcripts[number]
        let offerer = number == 0 ? .a : author(number)
        let stamp = number == 0 ? scenario.olderStamp : state.stamp(number)
        return PairingEntry(
            id: PairingID(transcript: transcript),
            offerIssued: number == 0 ? stamp - 60 : scenario.clock(offerer),
            answerIssued: stamp,
            transcript: transcript,
            role: offerer == side ? .offerer : .answerer,
            isConfirmed: state[side].confirmed.contains(number),
            isMuted: state[side].muted.contains(number)
        )
    }
}

extension PairingEntry {
    /// Which pairing of the model it is.
    var number: Int { Int(transcript[1]) }
}
