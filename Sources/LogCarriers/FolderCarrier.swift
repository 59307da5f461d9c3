internal import CLinux
internal import Files
internal import Glibc
internal import System
internal import VaultCrypto

/// A log in a folder, such as on a USB stick or on a shared file system.
///
/// Entry n is the file `hsip-<log id>/<n, 16 hex>` below the address. A file is written and synced under another
/// name, then linked to its final name, which fails if that exists. Only one machine can create a link, also over
/// NFS. After a crash, the last of several entries may be missing.
package struct FolderCarrier: LogCarrier {
    private let root: String
    private let folder: String

    /// - Throws: `badAddress` for an address of another kind; `synchronized`.
    package init(_ address: CarrierAddress, logID: [UInt8]) throws(CarrierError) {
        guard address.kind == .folder, logID.count == 16 else { throw .badAddress }
        try Self.refuseCopies(address.text)
        root = address.text
        folder = "\(root)/hsip-\(Hex.encode(logID))"
    }

    /// Returns the logs in a folder.
    static func logs(at address: CarrierAddress) throws(CarrierError) -> [[UInt8]] {
        try refuseCopies(address.text)
        guard let names = names(in: address.text) else { throw failure(errno) }
        return names.compactMap { logID(of: $0) }
    }

    /// Refuses a folder that a program copies between machines, since each copy would continue by itself.
    private static func refuseCopies(_ root: String) throws(CarrierError) {
        let marks = [".stfolder", ".dropbox.cache"]
        // The address may be a symbolic link into such a folder.
        var folder = (Folder.resolved(root) ?? root)[...]
        while true {
            let found = names(in: folder.isEmpty ? "/" : String(folder)) ?? []
            let isMarked = found.contains {
                marks.contains($0) || $0.hasPrefix(".sync_") || $0.hasPrefix("._sync_")
            }
            if isMarked || isDropbox(folder) { throw .synchronized }
            guard let slash = folder.lastIndex(of: "/") else { return }
            folder = folder[..<slash]
        }
    }

    /// Whether Dropbox copies this folder: it marks it with a file.
    ///
    /// The folder of the same name in a home has Dropbox's settings.
    private static func isDropbox(_ folder: Substring) -> Bool {
        FileFacts(at: "\(folder)/.dropbox")?.isFile == true
    }

    /// The names in a folder; nil if it cannot be read.
    private static func names(in folder: String) -> [String]? {
        // One name more than a log may have leads to `tooLarge`.
        Folder.names(in: folder, atMost: CarrierLimits.places + 1)
    }

    package func range() throws(CarrierError) -> LogRange {
        guard try isThere(root) else { throw .unreachable }
        guard try isThere(folder) else { return .empty }
        let places = try places()
        guard let newest = places.last else { return .empty }
        // Entries have no gaps from the oldest one on, so a missing position and all before it were trimmed.
        var oldest = newest
        for place in places.dropLast().reversed() {
            guard place == oldest - 1 else { break }
            oldest = place
        }
        return LogRange(oldest: oldest, newest: newest)
    }

    package func read(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        let range = try range()
        guard range.contains(place) else { return LogPage(range) }
        var entries: [[UInt8]] = []
        var room = CarrierLimits.bytes(bytes)
        for next in place...range.newest where entries.count < CarrierLimits.entriesRead {
            // An entry that another machine trimmed meanwhile ends the page.
            guard let entry = try entry(next, room: entries.isEmpty ? nil : room) else { break }
            room -= entry.count
            entries.append(entry)
            guard room > 0 else { break }
        }
        return LogPage(range, entries)
    }

    package func create(_ entries: [[UInt8]], at place: UInt64) throws(CarrierError) -> CreateOutcome {
        try CarrierLimits.check(entries, at: place)
        let range = try range()
        if range.newest >= place { return .taken }
        guard range.newest == place - 1 else { throw .gap }
        if try !isThere(folder) { try makeFolder() }
        var made: [String] = []
        defer { for path in made { unsafe unlink(path) } }
        // All bytes are on disk before the first of them becomes an entry.
        for entry in entries { made.append(try written(entry)) }
        for (offset, path) in made.enumerated() {
            switch Self.link(path, "\(folder)/\((place + UInt64(offset)).placeName)") {
            case 0: continue
            // Another machine added its entry after the first of ours.
            case EEXIST: return offset == 0 ? .taken : .unknown
            case let code:
                guard offset == 0 else { return .unknown }
                throw Self.failure(code)
            }
        }
        return (try? sync(folder)) == nil ? .unknown : .created
    }

    package func trim(below place: UInt64) throws(CarrierError) -> TrimOutcome {
        let range = try range()
        guard range.newest >= place else { throw .gap }
        guard !range.isEmpty, range.oldest < place else { return .done }
        for old in try places() where old < place {
            guard unsafe unlink("\(folder)/\(old.placeName)") == 0 || errno == ENOENT else { return .refused }
        }
        removeUnfinished()
        try sync(folder)
        return .done
    }

    /// Links a file, or renames it without replacing if the file system has no links, as on most USB sticks.
    private static func link(_ path: String, _ target: String) -> Int32 {
        if unsafe Glibc.link(path, target) == 0 { return 0 }
        guard [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(errno) else { return errno }
        return unsafe hsip_rename_new(path, target) == 0 ? 0 : errno
    }

    private func isThere(_ path: String) throws(CarrierError) -> Bool {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw Self.failure(errno) }
            return false
        }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        // The address may be a symbolic link, as for a mounted medium; our own folders may not.
        if !isFolder, path == root, facts.st_mode & S_IFMT == S_IFLNK {
            guard unsafe stat(path, &facts) == 0 else { return false }
            return facts.st_mode & S_IFMT == S_IFDIR
        }
        guard isFolder else { throw .damaged(.foreign(path)) }
        return true
    }

    private func makeFolder() throws(CarrierError) {
        guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw Self.failure(errno) }
        try sync(root)
    }

    /// Returns the positions in ascending order, without unfinished files.
    private func places() throws(CarrierError) -> [UInt64] {
        guard let names = Self.names(in: folder) else { throw Self.failure(errno) }
        var places: [UInt64] = []
        for name in names where !name.hasPrefix(".") {
            guard let place = UInt64(placeName: name) else { throw .damaged(.foreign(name)) }
            places.append(place)
            guard places.count <= CarrierLimits.places else { throw .tooLarge }
        }
        return places.sorted()
    }

    /// Removes files that an interrupted machine left more than a day ago; no running operation takes that long.
    private func removeUnfinished() {
        for name in Self.names(in: folder) ?? [] where name.hasPrefix(".new-") {
            var facts = stat()
            guard unsafe lstat("\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
                facts.st_mtim.tv_sec < time(nil) - 86_400
            else { continue }
            unsafe unlink("\(folder)/\(name)")
        }
    }

    /// Returns the bytes of an entry; nil if the entry is gone or exceeds the room.
    private func entry(_ place: UInt64, room: Int?) throws(CarrierError) -> [UInt8]? {
        let path = "\(folder)/\(place.placeName)"
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? .damaged(.foreign(place.placeName)) : Self.failure(errno)
        }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { throw Self.failure(errno) }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else {
            throw .damaged(.foreign(place.placeName))
        }
        guard facts.st_size <= CarrierLimits.entry else { throw .tooLarge }
        let size = Int(facts.st_size)
        if let room, size > room { return nil }
        do throws(ProgramError) {
            let bytes = try Descriptor(file).read(upTo: size)
            guard bytes.count == size else { throw ProgramError.fileChanged }
            return bytes
        } catch {
            throw error == .fileChanged ? .damaged(.foreign(place.placeName)) : .unreachable
        }
    }

    /// Writes a file with these bytes to disk, under a name that is not an entry's.
    private func written(_ entry: [UInt8]) throws(CarrierError) -> String {
        let path = "\(folder)/.new-\(Hex.encode(Entropy.system.bytes(12)))"
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Self.failure(errno) }
        defer { close(file) }
        do throws(ProgramError) {
            try Descriptor(file).write(entry)
        } catch {
            unsafe unlink(path)
            throw error == .diskFull ? .full : .unreachable
        }
        guard fsync(file) == 0 else {
            let code = errno
            unsafe unlink(path)
            throw Self.failure(code)
        }
        return path
    }

    private func sync(_ path: String) throws(CarrierError) {
        let file = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure(errno) }
        defer { close(file) }
        // A file system that cannot sync a folder does not need it.
        guard fsync(file) == 0 || errno == EINVAL else { throw Self.failure(errno) }
    }

    private static func failure(_ code: Int32) -> CarrierError {
        switch code {
        case EACCES, EPERM, EROFS: .refused
        case ENOSPC, EDQUOT, EFBIG: .full
        default: .unreachable
        }
    }
}
