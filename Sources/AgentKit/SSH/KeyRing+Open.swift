internal import SSHFormats
internal import VaultKit

extension KeyRing.Open {
    /// What is offered at a moment.
    mutating func offers(at moment: UInt64) -> KeyRing.Offers {
        if let offers, offers.end.map({ moment < $0 }) ?? true { return offers }
        purge(at: moment)
        var (new, seen) = (KeyRing.Offers(), hidden)
        for key in added + snapshot.keys where !key.isOver(at: moment) {
            if let end = key.end { new.end = min(end, new.end ?? end) }
            for identity in key.identities where seen.insert(identity.blob).inserted {
                let offer = KeyRing.Offer(key: key, identity: identity)
                new.list.append(offer)
                new.byBlob[identity.blob] = offer
            }
        }
        offers = new
        return new
    }

    /// Puts what `ssh-add` added under the conditions that the vault has for the same keys now.
    mutating func narrowAdded() {
        added = added.map { narrowed($0) }
    }

    func narrowed(_ key: RingKey) -> RingKey {
        key.narrowed(by: snapshot.view.keys + snapshot.view.idleKeys, opened: opened)
    }

    func has(_ key: RingKey, at moment: UInt64) -> Bool {
        guard !key.isOver(at: moment), !key.identities.allSatisfy({ hidden.contains($0.blob) }) else {
            return false
        }
        return added.contains { $0 === key } || snapshot.keys.contains { $0 === key }
    }

    mutating func purge(at moment: UInt64) {
        for key in snapshot.keys where key.isOver(at: moment) { key.wipe() }
        letGo { $0.isOver(at: moment) }
    }

    /// Wipes and forgets some of the keys that programs brought.
    mutating func letGo(where isGone: (RingKey) -> Bool) {
        let gone = added.filter(isGone)
        guard !gone.isEmpty else { return }
        for key in gone { key.wipe() }
        added.removeAll(where: isGone)
    }

    func wipe() {
        for key in added + snapshot.keys { key.wipe() }
    }
}
