package import FileStore
internal import Files
package import RecordStore
internal import System
internal import Text
internal import VaultCrypto

/// What this machine remembers of the backups of one vault: `backups-<vault id>` in the folder of the anchor, JSON.
///
/// The file saves time, and lets `doctor` report the age of the newest backup. Nothing depends on it: a backup that is
/// not in it is read again. Anyone who can change it could change the vault as well.
package struct BackupMemory {
    /// How many entries are kept; older ones are dropped.
    private static let maximum = 1_000

    /// A backup that was made or read.
    package struct Entry: Equatable, Sendable {
        package let path: String
        /// When it was last made, found unchanged, or read: Unix seconds.
        package var at: Int64
        package let check: BackupCheck
        package let epoch: UInt32
        /// The newest commit in the backup; 0 if that is not known.
        package let generation: UInt64
        /// The tag of the backup's head.
        let tag: [UInt8]
        /// The bytes of the file, and when they last changed: another file under the same path is not remembered.
        let size: Int64
        let modified: Int64
        /// Whether the backup was on the same disk as the vault.
        package let isOnSameDisk: Bool
    }

    package let path: String
    /// The backups, the latest last.
    package private(set) var entries: [Entry]
    /// When the first backup was remembered, Unix seconds.
    package private(set) var since: Int64?
    /// When a backup was last restored for a trial, Unix seconds; nil for never.
    package var drilledAt: Int64?

    /// Reads what is remembered; an unreadable file counts as empty.
    package init(_ place: VaultPlace, _ vaultID: [UInt8]) {
        self.init(path: "\(place.paths.anchorFolder)/backups-\(Hex.encode(vaultID))")
    }

    package init(path: String) {
        self.path = path
        let tree = (try? OwnFile.readKept(path)).flatMap { try? JSONValue($0) }
        entries = tree?["backups"]?.items.prefix(Self.maximum).compactMap { Entry($0) } ?? []
        since = tree?["since"]?.text.flatMap { Times.parse($0) }
        drilledAt = tree?["drilledAt"]?.text.flatMap { Times.parse($0) }
    }

    /// How completely this copy was read; nil if it is not the file that was read.
    package func check(of copy: BackupCopy) -> BackupCheck? {
        let known = entries.last { $0.path == copy.path }
        guard let known, known.tag == copy.tag, known.size == copy.facts.size,
            known.modified == copy.modified
        else { return nil }
        return known.check
    }

    /// The newest commit in a copy that was read whole; nil if it is not the file that was read.
    func generation(ofWhole copy: BackupCopy) -> UInt64? {
        guard isFull(copy) else { return nil }
        return entries.last { $0.path == copy.path }?.generation
    }

    /// Whether the copy was read whole.
    package func isFull(_ copy: BackupCopy) -> Bool { check(of: copy) == .full }

    /// The latest backup that was made, found unchanged or read.
    package var latest: Entry? { entries.max { $0.at < $1.at } }

    /// The latest backup that was read whole.
    package var latestFull: Entry? { entries.filter { $0.check == .full }.max { $0.at < $1.at } }

    /// Remembers a backup, after all others.
    package mutating func note(_ entry: Entry) {
        entries.removeAll { $0.path == entry.path }
        entries.append(entry)
        since = since ?? entry.at
    }

    /// Remembers a backup that was made or read whole, at any path.
    ///
    /// - Parameters:
    ///   - file: the backup, an absolute path.
    ///   - report: what was read.
    ///   - place: where the backed-up vault is.
    ///   - vaultID: the id of that vault.
    ///   - now: Unix seconds.
    package static func note(
        _ file: String,
        _ report: VerifyReport,
        of place: VaultPlace,
        _ vaultID: [UInt8],
        now: Int64
    ) {
        let check: BackupCheck = report.damaged.isEmpty ? .full : .damaged
        note(file, check, report.position, report.headTag, of: place, vaultID, now: now)
    }

    /// Remembers a backup that was read whole and is sound.
    package static func note(
        _ file: String,
        _ position: Position,
        _ headTag: [UInt8],
        of place: VaultPlace,
        _ vaultID: [UInt8],
        now: Int64
    ) {
        note(file, .full, position, headTag, of: place, vaultID, now: now)
    }

    private static func note(
        _ file: String,
        _ check: BackupCheck,
        _ position: Position,
        _ tag: [UInt8],
        of place: VaultPlace,
        _ vaultID: [UInt8],
        now: Int64
    ) {
        // A vault in the keyring has no file: the keyring is stored in the user's folders.
        let home = Path.exists(place.file) ? place.file : place.paths.anchorFolder
        let isOnSameDisk = isOnSameDisk(file, as: home)
        guard let entry = Entry(file, check, position, tag, at: now, isOnSameDisk: isOnSameDisk) else {
            return
        }
        change(of: place, vaultID) { $0.note(entry) }
    }

    /// Whether a file or folder is on the same disk as `home`, which is where the vault is stored.
    static func isOnSameDisk(_ path: String, as home: String) -> Bool {
        guard let here = DiskOf(home), let there = DiskOf(path) else { return false }
        return here.isShared(with: there)
    }

    /// Remembers copies that were read whole and are not remembered as such yet, with the time when they were made.
    mutating func note(readWhole copies: [BackupCopy], isOnSameDisk: Bool) {
        for copy in copies where !isFull(copy) {
            note(Entry(copy, .full, copy.name.generation, at: copy.name.time, isOnSameDisk: isOnSameDisk))
        }
    }

    /// Forgets the backups at these paths, which are gone.
    package mutating func forget(_ paths: [String]) {
        let gone = Set(paths)
        entries.removeAll { gone.contains($0.path) }
    }

    /// Changes the memory on disk under a lock, so that two processes do not lose each other's changes.
    ///
    /// - Returns: what is remembered after the change.
    @discardableResult
    package static func change(
        of place: VaultPlace,
        _ vaultID: [UInt8],
        _ act: (inout BackupMemory) -> Void
    ) -> BackupMemory {
        let path = "\(place.paths.anchorFolder)/remembering-\(Hex.encode(vaultID))"
        // If the lock fails, the memory is written all the same: a lost entry is read again.
        let lock = try? VaultLock(path: path, vaultID: vaultID).exclusive()
        defer { lock?.giveBack() }
        var memory = BackupMemory(place, vaultID)
        act(&memory)
        memory.save()
        return memory
    }

    /// Writes the memory to its file; a folder that cannot be written is not reported.
    private func save() {
        var tree: JSONValue = ["backups": .list(entries.suffix(Self.maximum).map(\.json))]
        if let since { tree["since"] = .time(since) }
        if let drilledAt { tree["drilledAt"] = .time(drilledAt) }
        guard let bytes = try? tree.bytes() else { return }
        _ = try? OwnFile.writeKept(bytes, to: path)
    }
}
