package import VaultCrypto

/// Writing entries behind the head.
///
/// A book is not changed by writing: the entries change it when they are taken, once the engine has them. A machine signs at
/// most one entry behind any given one, so what is written is kept and sent again as it is.
extension LogBook {
    /// A change, in as many parts as it needs.
    ///
    /// - Parameters:
    ///   - operations: in their order; at least one.
    ///   - signer: this machine at this moment.
    ///   - partSize: bytes of operations in one entry.
    /// - Returns: the entries, to be created together.
    /// - Throws: what applying them throws; `logTooLarge`; `machineRevoked`; `outOfMemory`.
    package func change(
        _ operations: [LogOperation],
        _ signer: EntrySigner,
        partSize: Int = LogLimits.part
    ) throws(LogError) -> [WrittenEntry] {
        guard !awaitsRekey else { throw LogError(.notAllowed) }
        let body = try LogOperation.encode(operations)
        let partSize = min(max(partSize, 1), LogLimits.part)
        let parts = max(1, (body.count + partSize - 1) / partSize)
        guard parts <= LogLimits.changeParts, body.count <= LogLimits.unfinished else {
            throw LogError(.logTooLarge)
        }
        for operation in operations {
            if case .put(let object) = operation { try object.checkIdentity() }
        }
        guard head.place < .max - UInt64(parts) else { throw LogError(.logTooLarge) }
        var after = state
        try after.apply(operations, by: signer.keys.id, at: head.place + UInt64(parts))
        let digest = after.digest(epoch: epoch)
        var entries: [WrittenEntry] = []
        for part in 0..<parts {
            let range = part * partSize..<min((part + 1) * partSize, body.count)
            let slice = try primitives { () throws(CryptoError) in try body.part(range) }
            var draft = EntryContent.Draft(
                kind: .change,
                time: signer.time,
                generation: signer.generation,
                digest: part + 1 == parts ? digest : Self.noDigest,
                body: slice
            )
            (draft.part, draft.parts) = (UInt16(part), UInt16(parts))
            entries.append(try write(draft, after: entries.last?.head ?? head, signer))
        }
        return entries
    }

    /// A new key, sealed to every machine but those that left, and the old one handed on.
    ///
    /// - Parameters:
    ///   - reason: `removal` behind a removal, else `periodic`.
    ///   - signer: a keeper at this moment.
    /// - Returns: the entry.
    /// - Throws: `notAllowed`, `malformed` for a reason that hands nothing on, `badKey`, `machineRevoked`, `outOfMemory`.
    package func rekey(_ reason: RekeyReason, _ signer: EntrySigner) throws(LogError) -> WrittenEntry {
        guard let key else { throw LogError(.machineRevoked) }
        guard !reason.isCompaction else { throw LogError(.malformed) }
        return try rekey(body: try RekeyBody.handingOn(key, reason), after: head, state, signer)
    }

    /// The removal of a machine and the rekey behind it, to be created together.
    ///
    /// - Throws: `notAllowed`, `lastKeeper`, `machineRevoked`, `outOfMemory`.
    package func removal(
        of machine: MachineID,
        reason: UInt8,
        _ signer: EntrySigner
    ) throws(LogError) -> [WrittenEntry] {
        try change(.remove(machine, reason: reason), thenRekey: .removal, signer)
    }

    /// The addition of a paper machine and the rekey behind it, to be created together: the machine reads nothing but the log,
    /// and the new key, which it gets, hands on the old one.
    ///
    /// - Throws: `notAllowed`, `nameTaken`, `machineRevoked`, `outOfMemory`.
    package func addition(
        _ admission: LogOperation.Admission,
        _ signer: EntrySigner
    ) throws(LogError) -> [WrittenEntry] {
        try change(.add(admission), thenRekey: .periodic, signer)
    }

    private func change(
        _ operation: LogOperation,
        thenRekey reason: RekeyReason,
        _ signer: EntrySigner
    ) throws(LogError) -> [WrittenEntry] {
        guard let key else { throw LogError(.machineRevoked) }
        let change = try change([operation], signer)
        guard let last = change.last else { throw LogError(.malformed) }
        var after = state
        try after.apply([operation], by: signer.keys.id, at: last.head.place)
        let body = try RekeyBody.handingOn(key, reason)
        return change + [try rekey(body: body, after: last.head, after, signer)]
    }

    /// What entries of this machine do to the members: the addition or removal of a machine; nil for entries that do neither.
    package func membership(in entries: [WrittenEntry]) -> LogOperation? {
        guard let key, let first = entries.first, let frame = try? EntryFrame(first.bytes),
            let content = try? EntryContent(
                try frame.opened(key: key),
                of: frame,
                key: { state.members[$0]?.signKey }
            ),
            content.kind == .change, let operation = (try? LogOperation.read(content.body))?.first
        else { return nil }
        switch operation {
        case .add, .remove: return operation
        default: return nil
        }
    }

    /// Makes an addition or removal again behind the head.
    ///
    /// - Parameters:
    ///   - membership: The addition or removal.
    ///   - count: How many entries it was: an addition with a new key, and each removal, has two.
    ///   - signer: this machine at this moment.
    /// - Returns: the entries; none if it is done already, or cannot be done now.
    /// - Throws: what making them throws.
    package func again(
        _ membership: LogOperation,
        count: Int,
        _ signer: EntrySigner
    ) throws(LogError) -> [WrittenEntry] {
        guard member?.role == .keeper, !awaitsRekey else { return [] }
        switch membership {
        case .remove(let machine, let reason):
            guard state.members[machine] != nil else { return [] }
            return try removal(of: machine, reason: reason, signer)
        case .add(let admission):
            let id = MachineKeys.id(signKey: admission.signKey)
            let isFree = state.members.values.allSatisfy { $0.id != id && $0.name != admission.name }
            guard isFree else { return [] }
            return count == 1 ? try change([membership], signer) : try addition(admission, signer)
        default: return []
        }
    }

    /// A compaction: a key that does not lead back to the old one; its snapshot follows part by part.
    ///
    /// - Parameters:
    ///   - parts: how many slices the state has, at least one.
    ///   - signer: a keeper at this moment.
    /// - Returns: the entry.
    /// - Throws: `notAllowed`, `logTooLarge`, `badKey`, `machineRevoked`, `outOfMemory`.
    package func compaction(parts: Int, _ signer: EntrySigner) throws(LogError) -> WrittenEntry {
        guard key != nil else { throw LogError(.machineRevoked) }
        guard (1...LogLimits.snapshotParts).contains(parts) else { throw LogError(.logTooLarge) }
        let body = try RekeyBody.compaction(.compaction, parts: parts, chain: chain)
        return try rekey(body: body, after: head, state, signer)
    }

    /// The next part of this machine's own compaction.
    ///
    /// - Throws: `notAllowed` without one of its own; `logTooLarge`, `outOfMemory`.
    package func snapshotPart(_ slice: Secret, _ signer: EntrySigner) throws(LogError) -> WrittenEntry {
        guard let open = compaction, open.author == signer.keys.id, !awaitsRekey else {
            throw LogError(.notAllowed)
        }
        let draft = try Self.snapshotDraft(slice, of: open, open.next, signer)
        return try write(draft, after: head, signer)
    }

    static let noDigest = [UInt8](repeating: 0, count: 32)

    static func snapshotDraft(
        _ slice: Secret,
        of open: OpenCompaction,
        _ part: Int,
        _ signer: EntrySigner
    ) throws(LogError) -> EntryContent.Draft {
        guard slice.count <= LogLimits.part, part < open.parts else { throw LogError(.logTooLarge) }
        var writer = try LogWriter()
        try writer.number(open.place)
        try writer.raw(slice)
        var draft = EntryContent.Draft(
            kind: .snapshotPart,
            time: signer.time,
            generation: signer.generation,
            digest: part + 1 == open.parts ? open.digest : noDigest,
            body: try writer.content()
        )
        (draft.part, draft.parts) = (UInt16(part), UInt16(open.parts))
        return draft
    }

    private func rekey(
        body: Secret,
        after head: LogHead,
        _ state: LogState,
        _ signer: EntrySigner
    ) throws(LogError) -> WrittenEntry {
        guard state.members[signer.keys.id]?.role == .keeper else { throw LogError(.notAllowed) }
        // A keeper may have gone to the last of both numbers in one step.
        guard epoch < .max, head.place < .max else { throw LogError(.logTooLarge) }
        let new = try primitives { () throws(CryptoError) in
            Secret(try signer.entropy.secret(EpochKey.size))
        }
        let next = epoch + 1
        let clear = EntryFrame.clear(log: log, after: head, epoch: next, isRekey: true)
        let boxes = try KeyBoxes(
            new,
            to: state.sortedMembers.filter { $0.role != .left },
            clear: clear,
            log: log,
            epoch: next,
            entropy: signer.entropy
        )
        let draft = EntryContent.Draft(
            kind: .rekey,
            time: signer.time,
            generation: signer.generation,
            digest: state.digest(epoch: next),
            body: body
        )
        let entry = try signer.entry(draft, clear: clear, boxes: boxes, log: log, epoch: next, key: new)
        return WrittenEntry(
            head: LogHead(place: head.place + 1, hash: LogHead.hash(of: entry)),
            bytes: entry
        )
    }

    private func write(
        _ draft: EntryContent.Draft,
        after head: LogHead,
        _ signer: EntrySigner
    ) throws(LogError) -> WrittenEntry {
        guard let key else { throw LogError(.machineRevoked) }
        guard head.place < .max else { throw LogError(.logTooLarge) }
        let clear = EntryFrame.clear(log: log, after: head, epoch: epoch, isRekey: false)
        let entry = try signer.entry(draft, clear: clear, log: log, epoch: epoch, key: key)
        return WrittenEntry(
            head: LogHead(place: head.place + 1, hash: LogHead.hash(of: entry)),
            bytes: entry
        )
    }
}
