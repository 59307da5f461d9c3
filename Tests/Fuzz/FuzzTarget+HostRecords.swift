import SSHFormats

extension FuzzTarget {
    private static let now: UInt64 = 1_800_000_000
    private static let lookups = ["db1", "[db1]:2222"].compactMap { try? HostName(lookup: $0) }
    /// Bytes of the head of known hosts.
    private static let headSize = 1 + 8 + 3 * 4

    static func hostRecord(_ bytes: [UInt8]) -> String? {
        guard let record = try? HostRecord(content: bytes) else { return nil }
        // One state has one content.
        return (try? record.content()) == bytes ? nil : "another content comes back"
    }

    static func hostKeys(_ bytes: [UInt8]) -> String? {
        let (head, lines) = (Array(bytes.prefix(headSize)), Array(bytes.dropFirst(headSize)))
        _ = try? HostKeyHead(content: head)
        if let all = try? HostKeyEntry.entries(in: lines) {
            guard let some = try? HostKeyEntry.entries(in: lines, for: lookups) else {
                return "lines of names cannot be read, though all can"
            }
            let wanted = all.filter { entry in lookups.contains { entry.host?.names.matches($0) ?? false } }
            guard wanted.allSatisfy(some.contains) else { return "a line of a name is missing" }
            for entry in wanted { _ = try? entry.noted(at: now, in: lines) }
        }
        for place in [HostKeyPlace.lines(0), .texts(0)] + lookups.map({ HostKeyPlace(of: $0) }) {
            guard HostKeyPlace(name: place.name) == place else { return "a place is not found by its name" }
            guard let book = try? HostKeyBook(contents: [.head: head, place: lines]) else { continue }
            if let broken = brokenPromise(of: book) { return broken }
            guard var more = try? HostKeyBook(contents: [.head: head, place: lines]) else { continue }
            _ = try? more.take(KnownHostsFile(Array("# one more\n".utf8)), conflicts: .add, at: now)
            if let broken = brokenPromise(of: more) { return broken }
        }
        return nil
    }

    static func hostImport(_ bytes: [UInt8]) -> String? {
        let file = KnownHostsFile(bytes)
        var book = HostKeyBook()
        guard (try? book.take(file, conflicts: .add, at: now)) != nil else { return nil }
        guard book.file.bytes == bytes else { return "the file does not come out as it went in" }
        if let broken = brokenPromise(of: book) { return broken }
        var again = book
        guard let report = try? again.take(file, conflicts: .leave, at: now), !report.isChange else {
            return "taken twice"
        }
        return again == book ? nil : "nothing was taken, and there is a change"
    }

    /// A book is read as it is written, and means what its file means.
    private static func brokenPromise(of book: HostKeyBook) -> String? {
        guard let contents = try? book.contents() else { return "a book cannot be written" }
        guard (try? HostKeyBook(contents: contents)) == book else { return "another book comes back" }
        let file = book.file
        for name in lookups {
            let keys = file.find(name).map(\.host.key)
            for key in keys.prefix(4) {
                guard book.check(key, for: name, at: now) == file.check(key, for: name, at: now) else {
                    return "the vault does not say what ssh would say"
                }
            }
        }
        return nil
    }
}
