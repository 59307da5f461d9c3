extension Book {
    /// The code of rule 0: the first code of mine that exists and is in time.
    ///
    /// The book is not changed.
    func showable(for contact: Contact, at moment: Moment) -> ExchangeCode? {
        // A code from a backup is not shown: the other side may have accepted it long ago, and then sending it again
        // has no effect. An answer below the sending pairing is not shown either: it has no effect, and would hide the
        // ROTATE that is needed.
        let confirmed = PairingOrder.sending(contact.pairings).flatMap { $0.isConfirmed ? $0 : nil }
        let unconfirmed = PairingOrder.ranked(contact.pairings).first { entry in
            !entry.isConfirmed && entry.role == .answerer
                && confirmed.map { entry.outranks($0) } ?? true
                && pairings[entry.id]?.rotation?.current.isRestored != true
        }
        if let unconfirmed, let answer = cachedAnswer(of: unconfirmed, at: moment) { return .answer(answer) }
        if let offer = boundOffer(to: contact.peerID, at: moment) { return .offer(offer) }
        guard let entry = PairingOrder.sending(contact.pairings), let rotation = pairings[entry.id]?.rotation
        else { return nil }
        return showable(of: rotation, at: moment)
    }

    /// The newest open offer of mine that is bound to a contact and in time.
    func boundOffer(to contact: PeerID, at moment: Moment) -> OfferCode? {
        offers.values.compactMap { offer -> OfferCode? in
            guard case .mine(let code, contact, .open) = offer.side, moment.effective <= code.terms.codeEnd
            else { return nil }
            return code
        }.max { ($0.terms.issued, $0.ref.last ?? 0) < ($1.terms.issued, $1.ref.last ?? 0) }
    }

    /// The code of rule 0 for one pairing's keys.
    func showable(of rotation: Rotation<HSIPScheme>, at moment: Moment) -> ExchangeCode? {
        if let out = rotation.out, moment.effective <= out.rotate.terms.codeEnd { return .rotate(out.rotate) }
        if let next = rotation.next, !next.epoch.isRestored, moment.effective <= next.accept.terms.codeEnd {
            return .accept(next.accept)
        }
        return nil
    }

    /// My answer that made a pairing, while both the answer and its offer are in time.
    func cachedAnswer(of entry: PairingEntry, at moment: Moment) -> AnswerCode? {
        for offer in offers.values {
            guard case .theirs(let answer, entry.id, _, let offerEnd) = offer.side else { continue }
            let inTime = min(answer.terms.codeEnd, offerEnd + Offer.lateAnswer)
            if moment.effective <= inTime { return answer }
        }
        return nil
    }
}
