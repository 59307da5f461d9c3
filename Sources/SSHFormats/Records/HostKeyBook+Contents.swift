/// The book as records, and back (Schemas/ssh-records.md).
extension HostKeyBook {
    /// The contents of all records of the book; empty for a book that never had a line.
    ///
    /// - Throws: `SSHFormatError.oversized` if the book is too large.
    public func contents() throws(SSHFormatError) -> [HostKeyPlace: [UInt8]] {
        try checkSize()
        var buckets: [HostKeyPlace: [HostKeyEntry]] = [:]
        var (lines, texts): ([HostKeyEntry], [HostKeyEntry]) = ([], [])
        for entry in entries {
            if let places = HostKeyPlace.buckets(of: entry.line) {
                for place in places { buckets[place, default: []].append(entry) }
            } else if entry.host != nil {
                lines.append(entry)
            } else {
                texts.append(entry)
            }
        }
        let (lineChunks, textChunks) = (Self.chunks(of: lines), Self.chunks(of: texts))
        let head = HostKeyHead(
            next: next,
            entries: entries.count,
            lines: lineChunks.count,
            texts: textChunks.count
        )
        guard head != .none else { return [:] }
        var contents = buckets.mapValues { HostKeyEntry.content(of: $0) }
        contents[.head] = head.content
        for (index, chunk) in lineChunks.enumerated() {
            contents[.lines(index)] = HostKeyEntry.content(of: chunk)
        }
        for (index, chunk) in textChunks.enumerated() {
            contents[.texts(index)] = HostKeyEntry.content(of: chunk)
        }
        return contents
    }

    /// Reads the result of `contents`.
    ///
    /// - Throws: `SSHFormatError.malformed` if the records do not fit together; the errors of reading a record.
    public init(contents: [HostKeyPlace: [UInt8]]) throws(SSHFormatError) {
        let head = try HostKeyHead(content: contents[.head])
        guard contents[.head] != nil || contents.isEmpty else { throw .malformed }
        for number in 0..<max(head.lines, head.texts) {
            guard number >= head.lines || contents[.lines(number)] != nil,
                number >= head.texts || contents[.texts(number)] != nil
            else { throw .malformed }
        }
        var found: [UInt64: HostKeyEntry] = [:]
        var copies = 0
        for (place, content) in contents where place != .head {
            switch place {
            case .lines(let number): guard number < head.lines else { throw .malformed }
            case .texts(let number): guard number < head.texts else { throw .malformed }
            case .head, .bucket: break
            }
            for entry in try HostKeyEntry.entries(in: content) {
                guard entry.sequence < head.next, Self.belongs(entry, in: place) else { throw .malformed }
                let old = found.updateValue(entry, forKey: entry.sequence)
                guard old == nil || old == entry else { throw .malformed }
                copies += 1
            }
        }
        let entries = found.values.sorted { $0.sequence < $1.sequence }
        let wanted = entries.reduce(0) { $0 + (HostKeyPlace.buckets(of: $1.line)?.count ?? 1) }
        guard entries.count == head.entries, copies == wanted else { throw .malformed }
        self.init(entries, next: head.next)
    }

    private static func belongs(_ entry: HostKeyEntry, in place: HostKeyPlace) -> Bool {
        switch (HostKeyPlace.buckets(of: entry.line), place) {
        case (let buckets?, _): buckets.contains(place)
        case (nil, .lines): entry.host != nil
        case (nil, .texts): entry.host == nil
        case (nil, .head), (nil, .bucket): false
        }
    }

    /// Parts of at most 32 KiB, each as long as it can be.
    private static func chunks(of entries: [HostKeyEntry]) -> [[HostKeyEntry]] {
        var chunks: [[HostKeyEntry]] = []
        var room = 0
        for entry in entries {
            if chunks.isEmpty || entry.size > room {
                chunks.append([])
                room = HostKeyPlace.chunk
            }
            chunks[chunks.count - 1].append(entry)
            room -= entry.size
        }
        return chunks
    }
}
