extension Book {
    /// Records that predate the last restore of the store.
    public struct Restored: Sendable {
        /// Contacts by PeerID.
        public var contacts: Set<PeerID> = []
        /// Pairings by name.
        public var pairings: Set<PairingID> = []
        /// Offers by ref.
        public var offers: Set<[UInt8]> = []

        /// No records.
        public init() {}
    }

    /// Applies the effects of a restore and of passed time to a loaded book.
    ///
    /// A restore changes the records (section 8, "Restored"): every epoch is marked, my own attempt dropped, my open
    /// offers closed, and every contact counts as not compared. Time ends grace periods, late secrets and kept records.
    /// The changes are written with the next change set, never alone.
    public mutating func settle(restored: Restored = Restored(), at moment: Moment) {
        for peer in restored.contacts {
            guard var contact = contacts[peer], !contact.isUncompared else { continue }
            contact.countAsRestored()
            if contact.isUncompared { settle(contact: contact) }
        }
        for pairing in pairings.values {
            settlePairing(pairing, isRestored: restored.pairings.contains(pairing.id), at: moment)
        }
        for offer in offers.values {
            settleOffer(offer, isRestored: restored.offers.contains(offer.ref), at: moment)
        }
    }

    private mutating func settlePairing(_ loaded: Pairing, isRestored: Bool, at moment: Moment) {
        var pairing = loaded
        switch pairing.state {
        case .ended(let end):
            if let until = end.keptUntil, moment.wiping > until {
                settleRemoval(pairing: pairing.id)
            }
        case .live(var rotation):
            let hadReceive = rotation.current.keys.canReceive
            let hadChain = rotation.current.keys.canRotate
            let ended = rotation.settle(at: moment)
            // Marked again even if the flag is set: a second restore may bring back an epoch made after the first.
            if isRestored { rotation.markRestored() }
            if isRestored, pairing.profile == .single { pairing.isCounterUnreliable = true }
            let changed =
                isRestored || !ended.isEmpty || hadReceive != rotation.current.keys.canReceive
                || hadChain != rotation.current.keys.canRotate
            guard changed else { return }
            pairing.state = .live(rotation)
            settle(pairing: pairing)
            for epoch in ended { settleNonces(of: epoch.name) }
        }
    }

    private mutating func settleOffer(_ loaded: Offer, isRestored: Bool, at moment: Moment) {
        var offer = loaded
        if moment.wiping > offer.end + Moment.retention {
            settleRemoval(offer: offer.ref)
            return
        }
        guard case .mine(let code, let boundTo, .open) = offer.side else { return }
        if isRestored {
            offer.side = .mine(code, boundTo: boundTo, .closed(expired: false))
            settle(offer: offer)
        } else if moment.wiping > offer.end + Offer.lateAnswer {
            offer.side = .mine(code, boundTo: boundTo, .closed(expired: true))
            settle(offer: offer)
        }
    }
}
