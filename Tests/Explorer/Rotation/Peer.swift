package import HSIP

/// One side of the pairing: the product's own machine, and a count of seals that does not trust the
/// machine's.
package struct Peer: Sendable {
    /// The machine.
    package var rotation: Rotation<NameScheme>
    /// It knows suite 02.
    package var isNew: Bool
    /// Its user said that the other one does not know suite 02.
    package var isMarked = false
    /// Messages sealed so far under the keys that may still seal.
    package var sealed: [KeyName: Int] = [:]

    /// A side at epoch 0 of a confirmed pairing.
    package init(limit: Int, suite: Suite = .two, isNew: Bool = true, isMarked: Bool = false) {
        (self.isNew, self.isMarked) = (isNew, isMarked)
        rotation = Rotation(
            current: Epoch(
                number: 0,
                name: .first,
                suite: suite,
                keys: NameKeys(.first),
                end: Machine.terms(limit: limit).epochEnd,
                limit: UInt16(limit)
            )
        )
    }

    /// Drops what no rule reads again: counts of what was read, and of seals under epochs that seal no more.
    mutating func normalise() {
        let live = [rotation.current.name, rotation.next?.epoch.name]
        sealed = sealed.filter { live.contains($0.key) }
        rotation.current.received = 0
        rotation.next?.epoch.received = 0
        for index in rotation.past.indices {
            rotation.past[index].epoch.sent = 0
            rotation.past[index].epoch.received = 0
        }
    }

    /// Everything that is left, as numbers; equal codes mean equal sides.
    var code: [UInt32] {
        var all: [UInt32] = [UInt32(rotation.seenAttempt), (isNew ? 1 : 0) | (isMarked ? 2 : 0)]
        all += code(of: rotation.current)
        all += code(of: rotation.madeBy)
        all += code(of: rotation.out?.rotate.rotateName)
        all.append(UInt32(rotation.past.count))
        for old in rotation.past {
            all += code(of: old.epoch)
            all.append((old.wasInitiator ? 1 : 0) | (old.peerSeenPast == nil ? 0 : 2))
        }
        if let next = rotation.next {
            all += code(of: next.epoch)
            all += code(of: next.rotateName)
            all.append(UInt32(next.attempt))
        }
        return all
    }

    private func code(of epoch: Epoch<NameScheme>) -> [UInt32] {
        let flags: UInt32 = epoch.keys.bits | (epoch.isRestored ? 16 : 0)
        let path = epoch.name.path
        let numbers: [UInt32] = [
            epoch.number, UInt32(truncatingIfNeeded: path), UInt32(truncatingIfNeeded: path >> 32), flags,
            UInt32(epoch.sent), UInt32(sealed[epoch.name] ?? 0),
        ]
        return numbers
    }

    private func code(of rotate: RotateName?) -> [UInt32] {
        guard let rotate else { return [0] }
        let path = KeyName(rotate, copy: 0).path
        return [1, UInt32(truncatingIfNeeded: path), UInt32(truncatingIfNeeded: path >> 32)]
    }
}
