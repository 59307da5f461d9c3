package import System
internal import VaultCrypto

/// A log in a branch of a git remote.
///
/// Entry n is the file `<n>>8, 14 hex>/<n, 16 hex>` of its own commit on `refs/heads/hsip-<log id>`. Author, date and
/// message are constant, so that two attempts to add an entry make the same commit. A push that names the expected
/// old commit is *create if absent*.
package struct GitCarrier: LogCarrier {
    let address: String
    let branch: String
    let mirror: GitMirror

    /// The ref of commits before they are pushed.
    static let draft = "refs/hsip/draft"
    private static let person = "hsip <> 0 +0000"

    /// Creates a carrier with a mirror at an absolute path whose folder exists.
    ///
    /// Only one process may use a mirror at a time.
    ///
    /// No file of the mirror exceeds `largestFile` bytes; a larger pack is `tooLarge`.
    ///
    /// - Throws: `badAddress` for an address of another kind.
    package init(
        _ address: CarrierAddress,
        logID: [UInt8],
        mirror: String,
        runner: HelperRunner,
        signals: SignalWatch? = nil,
        largestFile: Int = CarrierLimits.helperFile
    ) throws(CarrierError) {
        guard address.kind == .git, logID.count == 16 else { throw .badAddress }
        self.address = address.text
        branch = "refs/heads/hsip-\(Hex.encode(logID))"
        self.mirror = GitMirror(folder: mirror, runner: runner, signals: signals, largestFile: largestFile)
    }

    /// Returns the logs that have a branch in a remote.
    static func logs(
        at address: CarrierAddress,
        mirror: String,
        runner: HelperRunner,
        signals: SignalWatch?
    ) throws(CarrierError) -> [[UInt8]] {
        let mirror = GitMirror(
            folder: mirror,
            runner: runner,
            signals: signals,
            largestFile: CarrierLimits.helperFile
        )
        let end = try mirror.run(
            ["ls-remote", "--quiet", "--refs"]
                + GitMirror.otherSide("--upload-pack", "upload-pack", of: address.text)
                + ["--", address.text, "refs/heads/hsip-*"]
        )
        guard end.status == 0 else { throw GitMirror.failure(end) }
        let heads = "refs/heads/"
        return String(decoding: end.output, as: UTF8.self).split(separator: "\n").compactMap { line in
            // The pattern also matches names with more parts.
            let name = line.split(separator: "\t").last ?? ""
            return name.hasPrefix(heads) ? logID(of: String(name.dropFirst(heads.count))) : nil
        }
    }

    package func range() throws(CarrierError) -> LogRange {
        try withMirror { () throws(Failure) in
            try fetch()
            return try tree().range
        }
    }

    package func read(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        try withMirror { () throws(Failure) in
            // An entry never changes, so an entry of the mirror needs no request. Later positions are requested from
            // the remote.
            if let known = try known(), known.range.contains(place) {
                return try page(of: known, place, bytes)
            }
            try fetch()
            return try page(of: try tree(), place, bytes)
        }
    }

    package func latest(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        try withMirror { () throws(Failure) in
            try fetch()
            if let newest = mirror.newest(of: branch), newest.range.newest == place {
                return LogPage(newest.range, [newest.entry])
            }
            return try page(of: try tree(), place, bytes)
        }
    }

    package func create(_ entries: [[UInt8]], at place: UInt64) throws(CarrierError) -> CreateOutcome {
        try create(entries, at: place) { _ in true }
    }

    package func create(
        _ entries: [[UInt8]],
        at place: UInt64,
        after isKnown: ([UInt8]) -> Bool
    ) throws(CarrierError) -> CreateOutcome {
        try CarrierLimits.check(entries, at: place)
        return try withMirror { () throws(Failure) in
            let (range, last) = try newest(before: place)
            guard range.newest + 1 >= place else { throw .carrier(.gap) }
            guard range.newest < place else { return .taken }
            if let last, !isKnown(last) { return .taken }
            var commits = ""
            var stream: [UInt8] = []
            for (offset, entry) in entries.enumerated() {
                commits = "commit \(Self.draft)\ncommitter \(Self.person)\ndata 1\n.\n"
                if offset == 0, place > 1 { commits += "from \(branch)^0\n" }
                commits += "M 100644 inline \(Self.path(place + UInt64(offset)))\ndata \(entry.count)\n"
                stream += Array(commits.utf8) + entry + [0x0A]
            }
            try draft(stream)
            let outcome = try push(over: place > 1 ? branch : nil)
            if outcome == .created, let entry = entries.last,
                mirror.commit(branch) == mirror.commit(Self.draft)
            {
                let oldest = range.isEmpty ? place : range.oldest
                let range = LogRange(oldest: oldest, newest: place + UInt64(entries.count) - 1)
                mirror.remember(GitNewest(range: range, entry: entry), of: branch)
            }
            // The remote may already have the entries, so `create` succeeds even if tidying fails.
            _ = try? tidy()
            return outcome
        }
    }

    /// The range of the log and its newest entry, as far as they have to be known to write at a place.
    ///
    /// Nobody is asked first: a push that succeeds says that nobody else was there.
    private func newest(before place: UInt64) throws(Failure) -> (LogRange, [UInt8]?) {
        if let newest = mirror.newest(of: branch), newest.range.newest + 1 >= place {
            return (newest.range, newest.entry)
        }
        var known = try known()
        if known.map({ $0.range.newest + 1 < place }) ?? true {
            try fetch()
            known = try tree()
        }
        guard let known, let last = known.files.last else { return (.empty, nil) }
        return (known.range, try page(of: known, last.place, 1).entries.first)
    }

    package func trim(below place: UInt64) throws(CarrierError) -> TrimOutcome {
        try withMirror { () throws(Failure) in
            // Where another machine writes at the same moment, the tree is made once more.
            for _ in 0..<3 {
                try fetch()
                let tree = try tree()
                guard tree.range.newest >= place else { throw .carrier(.gap) }
                guard tree.range.oldest < place else { return .done }
                var stream = "commit \(Self.draft)\ncommitter \(Self.person)\ndata 1\n.\n"
                for file in tree.files where file.place >= place {
                    stream += "M 100644 \(file.object) \(Self.path(file.place))\n"
                }
                try draft(Array(stream.utf8))
                do throws(Failure) {
                    guard try push(over: try tip()) == .created else { continue }
                } catch {
                    if case .carrier(.refused) = error { return .refused }
                    throw error
                }
                return .done
            }
            return .refused
        }
    }

    // The mirror

    /// Why an act on the mirror failed.
    enum Failure: Error {
        case carrier(CarrierError)
        /// Git cannot work on the mirror itself.
        case mirror
    }

    /// Does something with the mirror, and once more with a new one where this one is unusable.
    private func withMirror<R>(_ body: () throws(Failure) -> R) throws(CarrierError) -> R {
        do throws(Failure) {
            return try body()
        } catch {
            if case .carrier(let error) = error { throw error }
        }
        try mirror.remove()
        try mirror.make()
        do throws(Failure) {
            return try body()
        } catch {
            switch error {
            case .carrier(let error): throw error
            case .mirror: throw .unreachable
            }
        }
    }

    func git(
        _ words: [String],
        input: [UInt8] = [],
        limit: Int = 1 << 16
    ) throws(Failure) -> GitMirror.End {
        do throws(CarrierError) {
            return try mirror.run(words, input: input, limit: limit)
        } catch {
            throw .carrier(error)
        }
    }

    /// Brings the branch here, wherever it leads by now.
    private func fetch() throws(Failure) {
        // Fetches that were cut off, and histories that were replaced, leave packs: a new mirror has none.
        guard mirror.packBytes <= 2 * mirror.largestFile else { throw .mirror }
        let end = try git(
            [
                "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
                "--no-auto-maintenance", "--refmap=",
            ] + GitMirror.otherSide("--upload-pack", "upload-pack", of: address)
                + ["--", address, "+\(branch):\(branch)"]
        )
        guard end.status != 0 else { return try tidy() }
        if end.errors.contains("couldn't find remote ref") {
            // The log is empty, or was deleted: what the mirror has of it is no log.
            guard try git(["update-ref", "-d", branch]).status == 0 else { throw .mirror }
            return
        }
        let isBroken = ["not a git repository", "Unable to create '", "cannot lock ref", "cannot update ref"]
            .contains { end.errors.contains($0) }
        if isBroken, !end.errors.contains("non-commit object") { throw .mirror }
        throw .carrier(GitMirror.failure(end))
    }

    /// Joins packs when there are many, and drops what was trimmed; a failure leaves them as they are.
    private func tidy() throws(Failure) {
        guard mirror.packFiles > Self.maximumPackFiles else { return }
        _ = try git(["gc", "--prune=now", "--quiet"])
    }

    /// Each fetch and each create makes a pack of two or three files.
    private static let maximumPackFiles = 118

    // The tree

    private struct File {
        let place: UInt64
        let object: String
        let size: Int
    }

    private struct Tree {
        let files: [File]

        var range: LogRange {
            guard let first = files.first, let last = files.last else { return .empty }
            return LogRange(oldest: first.place, newest: last.place)
        }
    }

    private static func path(_ place: UInt64) -> String {
        "\((place >> 8).placeName.dropFirst(2))/\(place.placeName)"
    }

    /// What the mirror has; nil where that is no log, and only the remote can tell.
    private func known() throws(Failure) -> Tree? {
        do throws(Failure) {
            return try tree()
        } catch .mirror {
            return nil
        } catch .carrier(.damaged) {
            return nil
        } catch .carrier(.tooLarge) {
            return nil
        } catch {
            throw error
        }
    }

    /// What the mirror has of the branch: every name, type and size, before anything is read.
    private func tree() throws(Failure) -> Tree {
        // Each has less than 120 bytes; a tree of deeper or longer names is cut here.
        let list = try git(
            ["ls-tree", "-r", "-z", "-l", "--full-tree", branch],
            limit: CarrierLimits.places * 120
        )
        guard list.status == 0 else {
            guard try tip() == nil else { throw .mirror }
            return Tree(files: [])
        }
        var files: [File] = []
        for line in list.output.split(separator: 0) {
            let line = String(decoding: line, as: UTF8.self)
            guard let file = Self.file(line) else {
                let path = line.split(separator: "\t", maxSplits: 1).last ?? ""
                throw .carrier(.damaged(.foreign(String(path))))
            }
            guard file.size <= CarrierLimits.entry else { throw .carrier(.tooLarge) }
            if let last = files.last, last.place + 1 != file.place {
                throw .carrier(.damaged(.missing(last.place + 1)))
            }
            files.append(file)
        }
        guard !files.isEmpty else { throw .carrier(.damaged(.unreadable)) }
        return Tree(files: files)
    }

    /// The newest commit; nil in an empty log.
    private func tip() throws(Failure) -> String? {
        let end = try git(["for-each-ref", "--format=%(objectname)", branch])
        guard end.status == 0 else { throw .mirror }
        return String(decoding: end.output, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    /// `<mode> blob <object> <size>\t<path>`; nil for a link, a submodule, and a name that is none.
    private static func file(_ line: String) -> File? {
        let halves = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let words = halves[0].split(separator: " ")
        guard words.count == 4, words[0] == "100644", words[1] == "blob", let size = Int(words[3]), size > 0,
            let place = halves[1].split(separator: "/").last.flatMap({ UInt64(placeName: $0) }),
            path(place) == halves[1]
        else { return nil }
        return File(place: place, object: String(words[2]), size: size)
    }

    private func page(of tree: Tree, _ place: UInt64, _ bytes: Int) throws(Failure) -> LogPage {
        guard tree.range.contains(place) else { return LogPage(tree.range) }
        var room = CarrierLimits.bytes(bytes)
        var wanted: [File] = []
        for file in tree.files[Int(place - tree.range.oldest)...] {
            guard wanted.count < CarrierLimits.entriesRead, wanted.isEmpty || file.size <= room else { break }
            wanted.append(file)
            room -= file.size
        }
        let end = try git(
            ["cat-file", "--batch"],
            input: Array(wanted.map { $0.object + "\n" }.joined().utf8),
            limit: wanted.reduce(0) { $0 + $1.size + 128 }
        )
        guard end.status == 0 else { throw .mirror }
        let entries = try Self.entries(end.output, wanted)
        if wanted.last?.place == tree.range.newest, let last = entries.last {
            mirror.remember(GitNewest(range: tree.range, entry: last), of: branch)
        }
        return LogPage(tree.range, entries)
    }

    /// What `cat-file --batch` said: a line about each object, its bytes, a line feed.
    private static func entries(_ output: [UInt8], _ wanted: [File]) throws(Failure) -> [[UInt8]] {
        var rest = output[...]
        var entries: [[UInt8]] = []
        for file in wanted {
            let head = Array("\(file.object) blob \(file.size)\n".utf8)
            guard rest.starts(with: head), rest.count > head.count + file.size else { throw .mirror }
            rest = rest.dropFirst(head.count)
            entries.append(Array(rest.prefix(file.size)))
            rest = rest.dropFirst(file.size + 1)
        }
        return entries
    }
}
