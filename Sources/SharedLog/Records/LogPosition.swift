package import VaultCrypto

/// How far a vault has read its log: the record `log.head` (Schemas/machines.md section 9).
package struct LogPosition: Sendable {
    /// The newest entry that was accepted.
    package let head: LogHead
    /// A machine was removed, so only a rekey may follow.
    package let awaitsRekey: Bool
    /// The newest entry of this machine.
    package let ownPlace: UInt64
    /// The newest whole compaction.
    package let newestWhole: UInt64
    /// A compaction whose snapshot is not whole.
    package let compaction: LogBook.OpenCompaction?
    /// A change whose last part is missing.
    package let unfinished: LogBook.UnfinishedChange?

    /// The digest of the state behind that entry.
    package let digest: [UInt8]
    /// The vault was restored, and the log has no entry that it made since; it may have forgotten entries of its own.
    package let isRestored: Bool
    /// The commit of the vault after which every change was given to the log; 0 for none.
    package let given: UInt64
    /// When each machine was added and wrote last.
    package let times: [MachineID: LogBook.MachineTimes]

    /// Reads the content of the record.
    ///
    /// - Throws: `newerEntry`; `logTampered`; `outOfMemory`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        head = LogHead(place: try reader.uint64(), hash: try reader.take(32))
        digest = try reader.take(32)
        ownPlace = try reader.uint64()
        newestWhole = try reader.uint64()
        let flags = try reader.byte()
        guard flags < 32 else { throw LogError(.newerEntry) }
        awaitsRekey = flags & 1 != 0
        compaction = flags & 2 == 0 ? nil : try LogBook.OpenCompaction(&reader)
        unfinished = flags & 4 == 0 ? nil : try LogBook.UnfinishedChange(&reader)
        isRestored = flags & 8 != 0
        given = flags & 16 == 0 ? 0 : try reader.uint64()
        var times: [MachineID: LogBook.MachineTimes] = [:]
        for _ in 0..<(try reader.uint16()) {
            let id: MachineID = try reader.identifier()
            times[id] = LogBook.MachineTimes(added: try reader.uint64(), last: try reader.uint64())
        }
        self.times = times
        try reader.finish()
    }

    /// How far a book has come.
    package init(_ book: LogBook, isRestored: Bool = false, given: UInt64 = 0) {
        (head, awaitsRekey) = (book.head, book.awaitsRekey)
        digest = book.state.digest(epoch: book.epoch)
        (ownPlace, newestWhole) = (book.ownPlace, book.newestWhole)
        (compaction, unfinished, times) = (book.compaction, book.unfinished, book.times)
        (self.isRestored, self.given) = (isRestored, given)
    }

    /// The content of the record.
    ///
    /// - Throws: `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        // What was begun may be large, and is copied once.
        var writer = try LogWriter.object([], capacity: 1_024 + (unfinished?.byteCount ?? 0))
        try writer.number(head.place)
        try writer.raw(head.hash)
        try writer.raw(digest)
        try writer.number(ownPlace)
        try writer.number(newestWhole)
        var flags: UInt8 = awaitsRekey ? 1 : 0
        if compaction != nil { flags |= 2 }
        if unfinished != nil { flags |= 4 }
        if isRestored { flags |= 8 }
        if given > 0 { flags |= 16 }
        try writer.raw([flags])
        try compaction?.write(to: &writer)
        try unfinished?.write(to: &writer)
        if given > 0 { try writer.number(given) }
        try writer.number(UInt16(clamping: times.count))
        for (id, times) in times.sorted(by: { $0.key < $1.key }) {
            try writer.raw(id.bytes)
            try writer.number(times.added)
            try writer.number(times.last)
        }
        return try writer.content()
    }
}

extension LogBook {
    /// A book as the records of a vault have it.
    ///
    /// - Parameters:
    ///   - machine: Whose book it is.
    ///   - epoch: The log, and its key.
    ///   - position: How far it has come.
    ///   - state: The members, and the objects of the index.
    package init(machine: MachineID, _ epoch: LogSelf.Epoch, _ position: LogPosition, _ state: LogState) {
        self.init(
            machine: machine,
            head: position.head,
            epoch: epoch.number,
            key: epoch.key,
            state: state,
            chain: ChainList(endingAt: position.head.place, [position.head.hash]),
            compaction: position.compaction,
            unfinished: position.unfinished,
            awaitsRekey: position.awaitsRekey,
            ownPlace: position.ownPlace,
            newestWhole: position.newestWhole
        )
        times = position.times
    }
}

extension LogBook.OpenCompaction {
    fileprivate init(_ reader: inout LogReader) throws(LogError) {
        place = try reader.uint64()
        author = try reader.identifier()
        parts = Int(try reader.uint16())
        next = Int(try reader.uint16())
        digest = try reader.take(32)
        guard next < parts, parts <= LogLimits.snapshotParts else { throw LogError(.logTampered) }
    }

    fileprivate func write(to writer: inout LogWriter) throws(LogError) {
        try writer.number(place)
        try writer.raw(author.bytes)
        try writer.number(UInt16(clamping: parts))
        try writer.number(UInt16(clamping: next))
        try writer.raw(digest)
    }
}

extension LogBook.UnfinishedChange {
    fileprivate init(_ reader: inout LogReader) throws(LogError) {
        author = try reader.identifier()
        parts = try reader.uint16()
        bodies = []
        let count = try reader.checked(try reader.uint16(), limit: LogLimits.changeParts)
        for _ in 0..<count { bodies.append(try reader.part(limit: LogLimits.part)) }
        guard count < Int(parts), byteCount <= LogLimits.unfinished else { throw LogError(.logTampered) }
    }

    fileprivate func write(to writer: inout LogWriter) throws(LogError) {
        try writer.raw(author.bytes)
        try writer.number(parts)
        try writer.number(UInt16(clamping: bodies.count))
        for body in bodies {
            try writer.number(UInt32(body.count))
            try writer.raw(body)
        }
    }
}
