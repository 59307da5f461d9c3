extension Rotation {
    /// An epoch that may open a message.
    public enum Slot: Hashable, Sendable {
        case next
        case current
        /// Index into `past`.
        case past(Int)
    }

    /// Every epoch that still opens messages, newest first: at most four.
    public var receiving: [(slot: Slot, epoch: Epoch<Scheme>)] {
        var found: [(slot: Slot, epoch: Epoch<Scheme>)] = []
        if let next, next.epoch.keys.canReceive { found.append((.next, next.epoch)) }
        if current.keys.canReceive { found.append((.current, current)) }
        for (index, old) in past.enumerated() where old.epoch.keys.canReceive {
            found.append((.past(index), old.epoch))
        }
        return found
    }

    /// Counts a message of the peer that opened under `slot`, if it is new, and promotes a prepared epoch.
    ///
    /// - Returns: the dropped epochs, because at most two replaced epochs are kept.
    public mutating func opened(
        under slot: Slot,
        countIt: Bool = true,
        at moment: Moment
    ) -> [Epoch<Scheme>] {
        switch slot {
        case .next:
            let dropped = promote(at: moment)
            if countIt { current.received += 1 }
            return dropped
        case .current:
            if countIt { current.received += 1 }
            notePeer(under: current.number, at: moment)
        case .past(let index):
            if countIt { past[index].epoch.received += 1 }
            notePeer(under: past[index].epoch.number, at: moment)
        }
        return []
    }

    /// Reserves the number of one message (rule 4) and returns the epoch under which it is sealed.
    ///
    /// The prepared epoch is used only if the current one cannot seal: its messages are readable after the peer has
    /// accepted the ACCEPT.
    /// - Throws: `restored`, `sessionExpired`, `lapsed` or `rekeyRequired`, depending on the state of the current
    ///   epoch.
    public mutating func reserve(at moment: Moment) throws(HSIPError) -> Slot {
        if current.maySeal(at: moment) {
            current.sent += 1
            return .current
        }
        if let next, next.epoch.maySeal(at: moment) {
            self.next?.epoch.sent += 1
            return .next
        }
        if current.isRestored { throw .restored(code: nil) }
        if current.isExpired(at: moment) { throw current.keys.canRotate ? .sessionExpired : .lapsed }
        throw .rekeyRequired(code: nil)
    }

    /// The epoch in a slot.
    public func epoch(in slot: Slot) -> Epoch<Scheme>? {
        switch slot {
        case .next: next?.epoch
        case .current: current
        case .past(let index): past.indices.contains(index) ? past[index].epoch : nil
        }
    }

    /// Applies passed time: ends grace times, receive keys and chains that are due (rule 6, "Ends").
    ///
    /// - Returns: the ended epochs, so that their nonce sets are removed in the same change set.
    public mutating func settle(at moment: Moment) -> [Epoch<Scheme>] {
        var ended: [Epoch<Scheme>] = []
        past.removeAll { old in
            guard moment.wiping > old.graceEnd else { return false }
            ended.append(old.epoch)
            return true
        }
        if moment.wiping > current.end + Moment.grace, current.keys.canReceive {
            current.keys.endReceiving()
        }
        if moment.wiping > current.end + Moment.retention, current.keys.canRotate {
            current.keys.endChain()
            out = nil
        }
        if let prepared = next, moment.wiping > prepared.epoch.end + Moment.grace {
            ended.append(prepared.epoch)
            next = nil
        }
        return ended
    }

    /// Marks a record from before a restore: its keys never seal again, and its own attempt is dropped.
    public mutating func markRestored() {
        current.isRestored = true
        next?.epoch.isRestored = true
        for index in past.indices { past[index].epoch.isRestored = true }
        out = nil
    }
}
