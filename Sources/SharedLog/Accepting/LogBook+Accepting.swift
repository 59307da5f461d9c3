internal import VaultCrypto

/// Taking an entry: the one reducer of the log (Schemas/machines.md section 5).
extension LogBook {
    /// Takes the next entry.
    ///
    /// Nothing is changed before everything is checked; what it throws says at which place and, where that is known, by whom.
    ///
    /// - Parameters:
    ///   - entry: as the server gave it.
    ///   - facts: what this machine knows beside the log.
    /// - Returns: what the entry did, for the records of the vault.
    /// - Throws: every `LogError` but `logBehind`, `historyGap`, `admitOutdated`.
    package mutating func take(_ entry: [UInt8], _ facts: EntryContext) throws(LogError) -> AcceptedEntry {
        try take(entry, facts, handedKey: nil)
    }

    /// The same with the key of a rekey that was handed back from a later one.
    mutating func take(
        _ entry: [UInt8],
        _ facts: EntryContext,
        handedKey: Secret?
    ) throws(LogError) -> AcceptedEntry {
        var next = self
        do throws(LogError) {
            let taken = try next.takeChecked(entry, facts, handedKey)
            self = next
            return taken
        } catch {
            throw error.reason == .malformed
                ? LogError(.logTampered, at: head.place &+ 1) : error.at(head.place &+ 1)
        }
    }

    private mutating func takeChecked(
        _ entry: [UInt8],
        _ facts: EntryContext,
        _ handedKey: Secret?
    ) throws(LogError) -> AcceptedEntry {
        let (frame, head) = try checkedFrame(entry, facts)
        guard let key else { throw LogError(.machineRevoked) }
        guard !awaitsRekey || frame.boxes != nil else { throw LogError(.logTampered) }
        guard frame.epoch == (frame.boxes == nil ? epoch : epoch &+ 1) else { throw LogError(.logTampered) }
        let current = try frame.boxes.map { (boxes) throws(LogError) in
            if let handedKey { return try boxes.checked(handedKey, in: frame) }
            return try Self.key(in: boxes, of: frame, for: machine, facts)
        }
        let members = state.members
        let content = try EntryContent(try frame.opened(key: current ?? key), of: frame) { author in
            members[author]?.signKey
        }
        do throws(LogError) {
            guard let role = members[content.author]?.role, role.writes else {
                throw LogError(.notAllowed)
            }
            let effect = try apply(content, role, head, newKey: current, facts)
            try checkAuthorship(content, head, facts)
            self.head = head
            chain.append(head.hash)
            if content.author == machine { ownPlace = head.place }
            note(content.time, of: content.author, effect)
            // What a restored vault has forgotten is merged like any other's.
            let isOwn = content.author == machine && facts.sent.contains(head.hash)
            return AcceptedEntry(
                head: head,
                author: content.author,
                time: content.time,
                generation: content.generation,
                isOwn: isOwn,
                effect: effect
            )
        } catch {
            throw error.at(head.place, by: content.author)
        }
    }

    /// Keeps the times of the machines that are in the log.
    mutating func note(_ time: UInt64, of author: MachineID, _ effect: AcceptedEntry.Effect) {
        times[author, default: MachineTimes()].last = time
        if case .change(let operations) = effect {
            for case .add(let admission) in operations {
                times[MachineKeys.id(signKey: admission.signKey), default: MachineTimes()].added = time
            }
        }
        times = times.filter { state.members[$0.key] != nil }
    }

    /// Step 1: what can be seen without a key.
    private func checkedFrame(
        _ entry: [UInt8],
        _ facts: EntryContext
    ) throws(LogError) -> (EntryFrame, LogHead) {
        let frame = try EntryFrame(entry)
        guard frame.log == log, head.place < .max, frame.place == head.place + 1 else {
            throw LogError(.logTampered)
        }
        guard frame.link == head.hash else { throw LogError(.logForked) }
        let head = frame.head
        if let anchor = facts.anchor, anchor.place == head.place, anchor.hash != head.hash {
            throw LogError(.logForked)
        }
        return (frame, head)
    }

    /// Step 3: the new key, from the box of this machine.
    static func key(
        in boxes: KeyBoxes,
        of frame: EntryFrame,
        for machine: MachineID,
        _ facts: EntryContext
    ) throws(LogError) -> Secret {
        for secret in facts.boxSecrets {
            if let key = try boxes.key(for: machine, secret, in: frame) { return key }
        }
        throw LogError(.machineRevoked)
    }

    /// Steps 4 and 5: what the entry does to the state, and that its author sees the same.
    private mutating func apply(
        _ content: EntryContent,
        _ role: MachineRole,
        _ head: LogHead,
        newKey: Secret?,
        _ facts: EntryContext
    ) throws(LogError) -> AcceptedEntry.Effect {
        switch content.kind {
        case .change:
            return try takeChange(content, at: head.place)
        case .rekey:
            unfinished = nil
            guard let newKey else { throw LogError(.logTampered) }
            return .rekey(try takeRekey(content, role, at: head.place, newKey: newKey))
        case .snapshotPart:
            unfinished = nil
            return .snapshotPart(isLast: try takeSnapshotPart(content))
        }
    }

    private mutating func takeChange(
        _ content: EntryContent,
        at place: UInt64
    ) throws(LogError) -> AcceptedEntry.Effect {
        guard content.parts <= LogLimits.changeParts else { throw LogError(.logTooLarge) }
        guard content.body.count <= LogLimits.part else { throw LogError(.logTooLarge) }
        var body = content.body
        if content.parts > 1 {
            var whole =
                content.part == 0
                ? UnfinishedChange(author: content.author, parts: content.parts, bodies: []) : unfinished
            guard whole?.author == content.author, whole?.parts == content.parts,
                whole?.bodies.count == Int(content.part)
            else { throw LogError(.logTampered) }
            whole?.bodies.append(content.body)
            guard let whole, whole.byteCount <= LogLimits.unfinished else { throw LogError(.logTooLarge) }
            guard content.isLast else {
                unfinished = whole
                return .unfinished
            }
            let bodies = whole.bodies
            body = Secret(try primitives { () throws(CryptoError) in try SecretBytes.joined(bodies) })
        }
        unfinished = nil
        let operations = try LogOperation.read(body)
        try state.apply(operations, by: content.author, at: place)
        try compare(content.digest)
        for operation in operations {
            switch operation {
            case .remove(let id, let reason):
                guard content.parts == 1 else { throw LogError(.notAllowed) }
                awaitsRekey = true
                guard id == machine else { continue }
                key = nil
                return .revoked(reason: reason)
            default: break
            }
        }
        return .change(operations)
    }

    private mutating func takeRekey(
        _ content: EntryContent,
        _ role: MachineRole,
        at place: UInt64,
        newKey: Secret
    ) throws(LogError) -> RekeyReason {
        guard role == .keeper else { throw LogError(.notAllowed) }
        let body = try RekeyBody(content.body, at: place)
        guard body.reason != .founding else { throw LogError(.logTampered) }
        if let previous = body.previous {
            guard let key, ConstantTime.equal(previous, key) else { throw LogError(.logTampered) }
        } else {
            guard body.chain.head == head, body.chain.agrees(with: chain) else {
                throw LogError(.logTampered)
            }
            compaction = OpenCompaction(
                place: place,
                author: content.author,
                parts: body.parts,
                next: 0,
                digest: content.digest
            )
        }
        epoch += 1
        key = newKey
        awaitsRekey = false
        try compare(content.digest)
        return body.reason
    }

    private mutating func takeSnapshotPart(_ content: EntryContent) throws(LogError) -> Bool {
        guard var open = compaction, Self.place(of: content.body) == open.place,
            content.body.count <= LogLimits.part + 8
        else { throw LogError(.logTampered) }
        guard open.author == content.author else { throw LogError(.notAllowed) }
        guard Int(content.parts) == open.parts, Int(content.part) == open.next else {
            throw LogError(.logTampered)
        }
        open.next += 1
        guard content.isLast else {
            compaction = open
            return false
        }
        guard content.digest == open.digest else { throw LogError(.stateDiffers) }
        compaction = nil
        newestWhole = open.place
        return true
    }

    /// The compaction that a part belongs to; nil if there is not even that.
    static func place(of body: Secret) -> UInt64? {
        var reader = LogReader(body)
        return try? reader.uint64()
    }

    private func compare(_ digest: [UInt8]) throws(LogError) {
        guard state.digest(epoch: epoch) == digest else { throw LogError(.stateDiffers) }
    }

    /// Step 6: an entry of this machine is one that it remembers.
    private func checkAuthorship(
        _ content: EntryContent,
        _ head: LogHead,
        _ facts: EntryContext
    ) throws(LogError) {
        guard content.author == machine else { return }
        guard facts.wasRestored || content.generation <= facts.generation else {
            throw LogError(.vaultBehindLog)
        }
        guard facts.wasRestored || facts.sent.contains(head.hash) else { throw LogError(.machineCloned) }
    }

    /// Refuses a sync in which other machines delete many objects: a person has to agree first.
    ///
    /// Call it after the last entry of the sync, before the first one is committed.
    ///
    /// - Parameters:
    ///   - before: The state before the sync.
    ///   - taken: The entries of the sync.
    ///   - earlier: How many objects went in earlier steps of the same sync.
    ///   - skipsSome: Whether a snapshot stands for further entries.
    ///   - counts: Whether a person would miss an object.
    /// - Returns: how many objects went by now.
    /// - Throws: `massRemoval` if more than 20 objects go, and at least a fifth of all.
    @discardableResult
    package func checkRemovals(
        since before: LogState,
        _ taken: [AcceptedEntry],
        earlier: Int = 0,
        skipsSome: Bool = false,
        where counts: (ObjectID) -> Bool = { _ in true }
    ) throws(LogError) -> Int {
        var (mine, others): (Set<ObjectID>, Set<ObjectID>) = ([], [])
        for entry in taken {
            guard case .change(let operations) = entry.effect else { continue }
            for case .delete(let id) in operations {
                if entry.author == machine { mine.insert(id) } else { others.insert(id) }
            }
        }
        let deleted = skipsSome ? Set(before.objectIDs).subtracting(mine) : others
        let count = earlier + deleted.count { before[$0] != nil && state[$0] == nil && counts($0) }
        guard count > LogLimits.removals, count * 5 >= before.objectCount + earlier else { return count }
        throw LogError(.massRemoval).at(head.place)
    }
}
