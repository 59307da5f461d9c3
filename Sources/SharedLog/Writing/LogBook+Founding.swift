internal import VaultCrypto

/// A log that begins: a founding at place 1, and its snapshot behind it.
extension LogBook {
    /// Founds a log.
    ///
    /// - Parameters:
    ///   - log: sixteen random bytes.
    ///   - name: of this machine.
    ///   - objects: what is shared from the beginning, ascending by ids.
    ///   - sliceSize: bytes of the snapshot in one entry.
    ///   - signer: this machine at this moment.
    /// - Returns: the book behind the last of the entries, and the entries.
    /// - Throws: `malformed` for a name that is none or objects out of order; `nameTaken`, `logTampered` for objects that
    ///   cannot be; `logTooLarge`, `outOfMemory`.
    package static func founding(
        _ log: LogID,
        name: String,
        objects: [SharedObject],
        sliceSize: Int = LogLimits.part,
        _ signer: EntrySigner
    ) throws(LogError) -> (book: LogBook, entries: [WrittenEntry]) {
        var state = LogState(log: log, founder: try Member(founder: signer.keys, name: name, log: log))
        for object in objects {
            try object.checkIdentity()
            let line = LogState.Line(
                kind: object.kind,
                name: object.name,
                place: 1,
                digest: try object.digest()
            )
            state.set(line, for: object.id)
        }
        try state.check()
        state.settle()
        var stream = try StateStream.Writer(state, sliceSize: sliceSize)
        var slices: [Secret] = []
        for object in objects { slices += try stream.add(object, place: 1) }
        slices += try stream.finish()

        let key = try primitives { () throws(CryptoError) in
            Secret(try signer.entropy.secret(EpochKey.size))
        }
        let clear = EntryFrame.clear(log: log, after: .none, epoch: 1, isRekey: true)
        let boxes = try KeyBoxes(
            key,
            to: state.sortedMembers,
            clear: clear,
            log: log,
            epoch: 1,
            entropy: signer.entropy
        )
        let digest = state.digest(epoch: 1)
        let draft = EntryContent.Draft(
            kind: .rekey,
            time: signer.time,
            generation: signer.generation,
            digest: digest,
            body: try RekeyBody.compaction(.founding, parts: slices.count, chain: ChainList())
        )
        let first = try signer.entry(draft, clear: clear, boxes: boxes, log: log, epoch: 1, key: key)
        let head = LogHead(place: 1, hash: LogHead.hash(of: first))
        var book = LogBook(
            machine: signer.keys.id,
            head: head,
            epoch: 1,
            key: key,
            state: state,
            chain: ChainList(endingAt: 1, [head.hash])
        )
        book.ownPlace = 1
        book.times[signer.keys.id] = LogBook.MachineTimes(added: signer.time, last: signer.time)
        book.compaction = OpenCompaction(
            place: 1,
            author: signer.keys.id,
            parts: slices.count,
            next: 0,
            digest: digest
        )
        var entries = [WrittenEntry(head: head, bytes: first)]
        var facts = EntryContext(boxSecrets: [], generation: signer.generation)
        for slice in slices {
            let part = try book.snapshotPart(slice, signer)
            facts.sent = [part.head.hash]
            _ = try book.take(part.bytes, facts)
            entries.append(part)
        }
        return (book, entries)
    }
}

/// An entry that is ready to be sent: durable in the vault first, and sent again as it is until its place is taken.
package struct WrittenEntry: Hashable, Sendable {
    /// The place and hash that it will have.
    package let head: LogHead
    /// What the server gets.
    package let bytes: [UInt8]
}
