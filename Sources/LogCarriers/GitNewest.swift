internal import System
internal import VaultCrypto

/// The range and the newest entry of a log as the mirror's branch leads to them.
///
/// It spares two calls of git for each sync: a file in the mirror has it, with the commit that it is of. If the branch leads
/// elsewhere, or a crash cut the file off, it counts for nothing.
struct GitNewest: Equatable {
    let range: LogRange
    let entry: [UInt8]
}

extension GitMirror {
    private var newestPath: String { "\(folder)/hsip-newest" }

    /// The newest entry, if the file is of the commit that the branch leads to.
    func newest(of branch: String) -> GitNewest? {
        guard let commit = commit(branch), let bytes = Self.read(newestPath, CarrierLimits.entry + 256),
            let end = bytes.firstIndex(of: 0x0A)
        else { return nil }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        let entry = Array(bytes[(end + 1)...])
        guard words.count == 4, words[0] == commit, let oldest = UInt64(words[1]),
            let newest = UInt64(words[2]), Hex.encode(Hash.sha256(entry)) == words[3]
        else { return nil }
        return GitNewest(range: LogRange(oldest: oldest, newest: newest), entry: entry)
    }

    /// Keeps the newest entry of the branch; without it the next sync is only slower.
    func remember(_ newest: GitNewest, of branch: String) {
        guard let commit = commit(branch) else { return }
        let (range, digest) = (newest.range, Hex.encode(Hash.sha256(newest.entry)))
        let line = "\(commit) \(range.oldest) \(range.newest) \(digest)\n"
        // Not brought to the disk: the digest shows what a crash left of it.
        try? OwnFile.writeKept(Array(line.utf8) + newest.entry, to: newestPath, isFlushed: false)
    }

    /// The commit that a name leads to, if it has a file of its own.
    func commit(_ name: String) -> String? {
        guard let bytes = Self.read("\(folder)/\(name)", 66), bytes.last == 0x0A else { return nil }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        return [40, 64].contains(text.utf8.count) && Hex.decode(text) != nil ? text : nil
    }

    private static func read(_ path: String, _ limit: Int) -> [UInt8]? {
        try? OwnFile.readKept(path, limit: limit, followsLinks: false)
    }
}
