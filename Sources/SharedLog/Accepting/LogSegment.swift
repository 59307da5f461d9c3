package import VaultCrypto

/// Reading the log from a compaction on: for a machine that joins, was away while entries were trimmed, or comes back from
/// paper.
package struct LogSegment: Sendable {
    /// Who reads, and what it trusts.
    package enum Reader: Sendable {
        /// A machine with a book: its head must be in the chain list, and a keeper that it knows must have let the author in.
        case late(LogBook)
        /// A machine that an ADMIT let in: the place and hash that the ADMIT names must be reached by links, and its key is that
        /// of this epoch.
        case joining(MachineID, log: LogID, admitted: LogHead, epoch: UInt32, key: Secret)
        /// A paper machine without any memory: nothing tells an old or other log of the same machines from the newest. It may
        /// have been added at any place.
        case recovering(MachineID, log: LogID?)
    }

    /// The book behind the last entry.
    package let book: LogBook
    /// The objects of the snapshot, each with the place of its last put; what is not among them, and not in later entries,
    /// was deleted.
    package let objects: [(place: UInt64, object: SharedObject)]
    /// The entries behind the compaction.
    package let taken: [AcceptedEntry]

    /// Reads a compaction, its snapshot and everything behind it.
    ///
    /// - Parameters:
    ///   - entries: the compaction and what follows it, without a gap, to the end of the log.
    ///   - reader: who reads.
    ///   - facts: what it knows beside the log.
    /// - Throws: every `LogError`.
    package init(_ entries: [[UInt8]], for reader: Reader, _ facts: EntryContext) throws(LogError) {
        let segment = try SegmentOpening(entries, reader, facts)
        let content = try segment.compaction()
        let snapshot = try segment.snapshot(of: content)
        try segment.judge(content, snapshot.state)
        var book = try segment.book(content, snapshot.state)
        var taken: [AcceptedEntry] = []
        let keys = segment.keys
        for (index, entry) in entries.enumerated().dropFirst() {
            taken.append(try book.take(entry, facts, handedKey: keys[index]))
            if case .revoked = taken.last?.effect { break }
        }
        try segment.judgeEnd(book)
        self.book = book
        objects = snapshot.objects
        self.taken = taken
    }
}

/// The first pass over a segment: frames, keys, the compaction and its snapshot.
private struct SegmentOpening {
    let frames: [EntryFrame]
    let reader: LogSegment.Reader
    let facts: EntryContext
    /// The key of each rekey in the segment, by its index.
    let keys: [Int: Secret]

    init(_ entries: [[UInt8]], _ reader: LogSegment.Reader, _ facts: EntryContext) throws(LogError) {
        self.reader = reader
        self.facts = facts
        var frames: [EntryFrame] = []
        for entry in entries {
            let frame: EntryFrame
            do throws(LogError) {
                frame = try EntryFrame(entry)
            } catch {
                throw error.reason == .malformed
                    ? LogError(.logTampered, at: frames.last.map { $0.place + 1 }) : error
            }
            if let last = frames.last {
                guard frame.log == last.log, frame.place == last.place + 1 else {
                    throw LogError(.logTampered, at: last.place + 1)
                }
                guard frame.link == last.head.hash else { throw LogError(.logForked, at: frame.place) }
            }
            frames.append(frame)
        }
        guard let first = frames.first else { throw LogError(.logBehind) }
        guard first.boxes != nil, first.place < .max - UInt64(entries.count) else {
            throw LogError(.logTampered, at: first.place)
        }
        self.frames = frames
        keys = try Self.keys(frames, reader, facts)
        switch reader {
        case .late(let book):
            guard first.log == book.log else { throw LogError(.logTampered, at: first.place) }
            guard first.place > book.head.place else { throw LogError(.malformed, at: first.place) }
            // The compaction itself is a rekey behind its head.
            guard first.epoch > book.epoch else { throw LogError(.logTampered, at: first.place) }
        case .joining(_, let log, let admitted, _, _):
            guard first.log == log else { throw LogError(.logTampered, at: first.place) }
            guard first.place <= admitted.place else { throw LogError(.admitOutdated, at: first.place) }
        case .recovering(_, let log):
            guard log == nil || first.log == log else { throw LogError(.logTampered, at: first.place) }
        }
    }

    /// The keys of all rekeys: from boxes, or handed back from the key of an ADMIT.
    private static func keys(
        _ frames: [EntryFrame],
        _ reader: LogSegment.Reader,
        _ facts: EntryContext
    ) throws(LogError) -> [Int: Secret] {
        var keys: [Int: Secret] = [:]
        let rekeys = frames.indices.filter { frames[$0].boxes != nil }
        switch reader {
        case .late(let book): try open(frames, from: 0, for: book.machine, facts, &keys)
        case .recovering(let machine, _):
            for index in rekeys { keys[index] = try ownKey(frames[index], for: machine, facts) }
            // A rekey from before the machine was added has no box for it, but the first that has one leads back to all.
            guard let first = rekeys.first(where: { keys[$0] != nil }), let key = keys[first] else {
                throw LogError(.machineRevoked, at: frames.last?.place)
            }
            try leadBack(frames, rekeys.filter { $0 <= first }, key, &keys)
        case .joining(let machine, _, let admitted, let epoch, let key):
            let known = rekeys.filter { frames[$0].place <= admitted.place }
            guard let newest = known.last else { throw LogError(.admitOutdated, at: frames.first?.place) }
            guard frames[newest].epoch == epoch else {
                throw LogError(.logTampered, at: frames[newest].place)
            }
            try leadBack(frames, known, key, &keys)
            try open(frames, from: newest + 1, for: machine, facts, &keys)
        }
        return keys
    }

    /// The keys of rekeys, of which the newest is known, and each hands on the one before.
    private static func leadBack(
        _ frames: [EntryFrame],
        _ rekeys: [Int],
        _ newest: Secret,
        _ keys: inout [Int: Secret]
    ) throws(LogError) {
        var key = newest
        for index in rekeys.reversed() {
            let frame = frames[index]
            do throws(LogError) {
                guard let boxes = frame.boxes else { throw LogError(.logTampered) }
                keys[index] = try boxes.checked(key, in: frame)
                guard index > 0 else { continue }
                // Verified when the entry is taken; until then it is a key that has to fit the rekey before.
                let content = try EntryContent.unverified(try frame.opened(key: key))
                guard content.kind == .rekey,
                    let previous = try RekeyBody(content.body, at: frame.place).previous
                else { throw LogError(.logTampered) }
                key = previous
            } catch {
                throw error.at(frame.place)
            }
        }
    }

    /// The key of a rekey; nil if no box in the rekey is for the machine.
    private static func ownKey(
        _ frame: EntryFrame,
        for machine: MachineID,
        _ facts: EntryContext
    ) throws(LogError) -> Secret? {
        guard let boxes = frame.boxes else { return nil }
        do throws(LogError) {
            return try LogBook.key(in: boxes, of: frame, for: machine, facts)
        } catch {
            guard error.reason == .machineRevoked else { throw error.at(frame.place) }
            return nil
        }
    }

    private static func open(
        _ frames: [EntryFrame],
        from start: Int,
        for machine: MachineID,
        _ facts: EntryContext,
        _ keys: inout [Int: Secret]
    ) throws(LogError) {
        for index in frames.indices.dropFirst(start) {
            guard let boxes = frames[index].boxes else { continue }
            do throws(LogError) {
                keys[index] = try LogBook.key(in: boxes, of: frames[index], for: machine, facts)
            } catch {
                // Removed in the middle of it: the removal is in front of this rekey, and is read with the key before.
                guard error.reason == .machineRevoked, index > 0 else { throw error.at(frames[index].place) }
                return
            }
        }
    }

    /// The content of the compaction; its signature is verified against the members of its own snapshot.
    func compaction() throws(LogError) -> EntryContent {
        do throws(LogError) {
            guard let key = keys[0] else { throw LogError(.machineRevoked) }
            let content = try EntryContent.unverified(try frames[0].opened(key: key))
            guard content.kind == .rekey else { throw LogError(.logTampered) }
            return content
        } catch {
            throw error.at(frames[0].place)
        }
    }

    /// The state that the parts behind the compaction show, and its objects.
    func snapshot(
        of compaction: EntryContent
    ) throws(LogError) -> (state: LogState, objects: [(place: UInt64, object: SharedObject)]) {
        let place = frames[0].place
        do throws(LogError) {
            let body = try RekeyBody(compaction.body, at: place)
            guard body.reason.isCompaction else { throw LogError(.logTampered) }
            var stream = StateStream.Reader(log: frames[0].log)
            var objects: [(place: UInt64, object: SharedObject)] = []
            var next = 0
            var key = keys[0]
            for index in frames.indices.dropFirst() where next < body.parts {
                if frames[index].boxes != nil { key = keys[index] }
                guard let key else { break }
                let content = try EntryContent.unverified(try frames[index].opened(key: key))
                guard content.kind == .snapshotPart, LogBook.place(of: content.body) == place else {
                    continue
                }
                guard Int(content.part) == next else { throw LogError(.logTampered) }
                next += 1
                let range = 8..<content.body.count
                objects += try stream.take(
                    try primitives { () throws(CryptoError) in try content.body.part(range) }
                )
            }
            guard next == body.parts else { throw LogError(.logBehind) }
            return (try stream.finish(), objects)
        } catch {
            throw error.at(place)
        }
    }

    /// Whether the compaction is one to begin with.
    func judge(_ content: EntryContent, _ state: LogState) throws(LogError) {
        let frame = frames[0]
        do throws(LogError) {
            guard let author = state.members[content.author], author.role == .keeper,
                let key = keys[0]
            else { throw LogError(.logTampered) }
            let members = state.members
            _ = try EntryContent(try frame.opened(key: key), of: frame) { members[$0]?.signKey }
            guard state.digest(epoch: frame.epoch) == content.digest else { throw LogError(.stateDiffers) }
            let body = try RekeyBody(content.body, at: frame.place)
            guard frame.place == 1 ? frame.link == LogHead.none.hash : body.chain.head?.hash == frame.link
            else { throw LogError(.logTampered) }
            try judge(body.chain)
            guard case .late(let book) = reader else { return }
            guard book.knows(author, in: state) else { throw LogError(.logTampered) }
            if content.author == book.machine {
                guard facts.wasRestored || content.generation <= facts.generation else {
                    throw LogError(.vaultBehindLog)
                }
                guard facts.wasRestored || facts.sent.contains(frame.head.hash) else {
                    throw LogError(.machineCloned)
                }
            }
        } catch {
            throw error.at(frame.place, by: content.author)
        }
    }

    /// Own head and the anchor file's are in the list of the compaction.
    ///
    /// For a machine that joins this adds to the links that lead to what the ADMIT names, and never stands in for them. Away for
    /// too long, it finds what it has seen in no list any more: joining again is the way out, and the ADMIT vouches.
    private func judge(_ chain: ChainList) throws(LogError) {
        var heads: [LogHead] = []
        if case .late(let book) = reader { heads.append(book.head) }
        if let anchor = facts.anchor { heads.append(anchor) }
        for head in heads where head.place > 0 && head.place < frames[0].place {
            guard let hash = chain[head.place] else {
                if case .joining = reader { continue }
                throw LogError(.historyGap)
            }
            guard hash == head.hash else { throw LogError(.logForked) }
        }
    }

    func book(_ content: EntryContent, _ state: LogState) throws(LogError) -> LogBook {
        let frame = frames[0]
        guard let key = keys[0] else { throw LogError(.machineRevoked) }
        let body = try RekeyBody(content.body, at: frame.place)
        var chain = body.chain
        chain.append(frame.head.hash)
        let machine =
            switch reader {
            case .late(let book): book.machine
            case .joining(let machine, _, _, _, _), .recovering(let machine, _): machine
            }
        var book = LogBook(
            machine: machine,
            head: frame.head,
            epoch: frame.epoch,
            key: key,
            state: state,
            chain: chain
        )
        if case .late(let old) = reader { (book.ownPlace, book.times) = (old.ownPlace, old.times) }
        book.times[content.author, default: LogBook.MachineTimes()].last = content.time
        if frame.place == 1 { book.times[content.author]?.added = content.time }
        if content.author == machine { book.ownPlace = frame.place }
        book.compaction = LogBook.OpenCompaction(
            place: frame.place,
            author: content.author,
            parts: body.parts,
            next: 0,
            digest: content.digest
        )
        if let anchor = facts.anchor, anchor.place == frame.place, anchor.hash != frame.head.hash {
            throw LogError(.logForked, at: frame.place)
        }
        return book
    }

    /// What the reader knows of must have been reached.
    func judgeEnd(_ book: LogBook) throws(LogError) {
        var heads: [LogHead] = []
        if case .joining(_, _, let admitted, _, _) = reader { heads.append(admitted) }
        if let anchor = facts.anchor { heads.append(anchor) }
        for head in heads {
            guard head.place <= book.head.place else { throw LogError(.logBehind, at: head.place) }
            // By links from the compaction on; a place before it was judged by the list.
            guard head.place >= frames[0].place else { continue }
            guard frames[Int(head.place - frames[0].place)].head.hash == head.hash else {
                throw LogError(.logForked, at: head.place)
            }
        }
        guard book.key == nil || book.member != nil else {
            throw LogError(.machineRevoked, at: book.head.place)
        }
    }
}

extension LogBook {
    /// Whether certificates lead from the author of a snapshot to a keeper that this machine knows.
    ///
    /// A keeper that this machine knows to be one no more leads nowhere: who was let in by it before is known itself.
    func knows(_ author: Member, in state: LogState) -> Bool {
        var (id, signKey, adder, certificate) = (author.id, author.signKey, author.adder, author.certificate)
        var seen: Set<MachineID> = []
        while seen.insert(id).inserted {
            if let known = self.state.members[id], known.role == .keeper { return known.signKey == signKey }
            guard self.state.former[id] == nil else { return false }
            let issuer: [UInt8]
            let next: (MachineID, [UInt8])
            if let member = state.members[adder], member.role == .keeper {
                (issuer, next) = (member.signKey, (member.adder, member.certificate))
            } else if let keeper = state.former[adder] {
                (issuer, next) = (keeper.signKey, (keeper.adder, keeper.certificate))
            } else {
                return false
            }
            guard Certificate.isValid(certificate, for: signKey, .keeper, log: log, by: issuer) else {
                return false
            }
            (id, signKey) = (adder, issuer)
            (adder, certificate) = next
        }
        return false
    }
}
