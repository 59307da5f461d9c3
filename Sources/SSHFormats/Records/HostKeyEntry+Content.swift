/// The bytes of lines in the records `ssh.hostkey` (Schemas/ssh-records.md).
extension HostKeyEntry {
    /// The size of the longest line that the vault stores, in bytes.
    public static let longestLine = 1 << 20

    static let version: UInt8 = 1
    /// The version of a record with a line that was not compared since a restore.
    ///
    /// A program that does not know the mark must not read the line as compared.
    private static let uncomparedVersion: UInt8 = 2

    private static let digestSize = 32
    private static let lacksLineFeedFlag: UInt8 = 1
    private static let uncomparedFlag: UInt8 = 2

    private enum StateByte {
        static let current: UInt8 = 0
        static let replaced: UInt8 = 1
        static let removed: UInt8 = 2
    }

    /// Encodes some lines as the content of a record; the lines ascend by number.
    static func content(of entries: [HostKeyEntry]) -> [UInt8] {
        var writer = WireWriter()
        writer.byte(entries.contains(where: \.isUncompared) ? uncomparedVersion : version)
        writer.uint32(UInt32(clamping: entries.count))
        for entry in entries { entry.write(to: &writer) }
        return writer.bytes
    }

    /// Reads the lines from the content of a record; with `names`, only the lines about these names.
    ///
    /// Only the frame of the other lines is validated.
    ///
    /// - Throws: `SSHFormatError.unsupportedVersion`; `truncated`; `trailingBytes`; `oversized`; `malformed`.
    public static func entries(
        in content: [UInt8],
        for names: [HostName]? = nil
    ) throws(SSHFormatError) -> [HostKeyEntry] {
        var reader = WireReader(content)
        let version = try reader.byte()
        guard version == Self.version || version == uncomparedVersion else {
            throw .unsupportedVersion(UInt32(version))
        }
        let flags = lacksLineFeedFlag | (version == uncomparedVersion ? uncomparedFlag : 0)
        let count = try reader.uint32()
        guard count <= UInt32(clamping: HostKeyBook.maximumEntries) else {
            throw .oversized(limit: HostKeyBook.maximumEntries)
        }
        let lookups = names?.map { Array($0.lookup.utf8) }
        var entries: [HostKeyEntry] = []
        var last: UInt64?
        for _ in 0..<count {
            let sequence = try reader.uint64()
            if let last, last >= sequence { throw .malformed }
            last = sequence
            if let entry = try read(sequence, from: &reader, lookups, flags) { entries.append(entry) }
        }
        try reader.finish()
        return entries
    }

    /// Returns the content of a record from before a restore with a mark on each line.
    ///
    /// - Throws: as `entries`.
    public static func restored(_ content: [UInt8]) throws(SSHFormatError) -> [UInt8] {
        var entries = try entries(in: content)
        for index in entries.indices { entries[index].countAsRestored() }
        return Self.content(of: entries)
    }

    /// Returns the content of a record with a sighting of this line; nil if nothing has to be written.
    ///
    /// That is so if the line is missing or different in the record, or if it was seen shortly before.
    ///
    /// - Throws: the errors of `entries`.
    public func noted(at time: UInt64, in content: [UInt8]) throws(SSHFormatError) -> [UInt8]? {
        guard isDue(at: time) else { return nil }
        var entries = try Self.entries(in: content)
        guard let index = entries.firstIndex(where: { $0.sequence == sequence }), entries[index].isCurrent,
            entries[index].line == line, entries[index].isDue(at: time)
        else { return nil }
        entries[index].lastSeen = max(time, firstSeen)
        return Self.content(of: entries)
    }

    /// Whether a sighting now would be recorded.
    public func isDue(at time: UInt64) -> Bool {
        isCurrent && lastSeen.map { $0 + HostKeyBook.noting <= time } ?? true
    }

    /// The bytes of the entry in a record.
    package var size: Int {
        let by = if case .replaced = state { Self.digestSize } else { 0 }
        return 8 + 3 + 3 * 4 + 4 + by + 4 + line.text.count
    }

    private func write(to writer: inout WireWriter) {
        writer.uint64(sequence)
        let (byte, ended, digest) =
            switch state {
            case .current: (StateByte.current, 0 as UInt64, [UInt8]())
            case .replaced(let time, let by): (StateByte.replaced, max(1, time), by.digest)
            case .removed(let time): (StateByte.removed, max(1, time), [])
            }
        writer.byte(byte)
        writer.byte(source.rawValue)
        writer.byte(
            (lacksLineFeed ? Self.lacksLineFeedFlag : 0) | (isUncompared ? Self.uncomparedFlag : 0)
        )
        writer.uint32(UInt32(clamping: firstSeen))
        writer.uint32(UInt32(clamping: lastSeen ?? 0))
        writer.uint32(UInt32(clamping: ended))
        writer.string(digest)
        writer.string(line.text)
    }

    /// Reads the bytes after the number; nil for a line that was not requested.
    private static func read(
        _ sequence: UInt64,
        from reader: inout WireReader,
        _ lookups: [[UInt8]]?,
        _ known: UInt8
    ) throws(SSHFormatError) -> HostKeyEntry? {
        let byte = try reader.byte()
        guard let source = HostKeySource(rawValue: try reader.byte()) else { throw .malformed }
        let flags = try reader.byte()
        guard flags & ~known == 0 else { throw .malformed }
        let (first, last) = (try reader.uint32(), try reader.uint32())
        let state = try state(byte, ended: try reader.uint32(), by: try reader.string(limit: digestSize))
        let text = try reader.string(limit: longestLine)
        if let lookups, !KnownHostsLine.mayMatch(text, lookups) { return nil }
        guard !text.contains(0x0A) else { throw .malformed }
        return HostKeyEntry(
            KnownHostsLine(text),
            sequence: sequence,
            source: source,
            firstSeen: UInt64(first),
            lastSeen: last == 0 ? nil : UInt64(last),
            state: state,
            isUncompared: flags & uncomparedFlag != 0,
            lacksLineFeed: flags & lacksLineFeedFlag != 0
        )
    }

    private static func state(
        _ byte: UInt8,
        ended: UInt32,
        by digest: [UInt8]
    ) throws(SSHFormatError) -> State {
        switch (byte, ended > 0, digest.count) {
        case (StateByte.current, false, 0): .current
        case (StateByte.replaced, true, digestSize):
            .replaced(at: UInt64(ended), by: Fingerprint(sha256: digest))
        case (StateByte.removed, true, 0): .removed(at: UInt64(ended))
        default: throw .malformed
        }
    }
}
