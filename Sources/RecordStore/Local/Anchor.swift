internal import Files
internal import Glibc
internal import Synchronization

/// The newest head this machine has seen of one vault, in a file outside the vault's folder.
///
/// Written after a commit has returned, under a lock of the file, and only upwards. If the store itself keeps
/// what it acknowledged, the anchor is not synced: a lost update only lowers it, so it never raises a false
/// alarm. If only the anchor shows that a commit was lost, it is synced together with its folder.
package struct Anchor: Sendable {
    package let path: String
    private let vaultID: [UInt8]
    private let kept = KeptFile()

    /// The anchor of one vault, whether it exists or not.
    package init(path: String, vaultID: [UInt8]) {
        self.path = path
        self.vaultID = vaultID
    }

    /// Reads the anchor; nil if it is missing, malformed or of another vault.
    ///
    /// - Throws: `unsafeFile` if another user could have written the file.
    package func read() throws(StoreError) -> AnchorText? {
        guard try PathChecks.file(path) else { return nil }
        let file = try LocalFile(path, O_RDONLY)
        // Halves of two writes would look like a fork.
        try file.lock(.shared)
        return try text(in: file)
    }

    /// Locks the anchor for one commit; nil if there is no file yet.
    ///
    /// - Throws: `unsafeFile` if another user could have written the file.
    package func hold() throws(StoreError) -> HeldAnchor? {
        guard let facts = try PathChecks.facts(ofFile: path) else { return nil }
        let file = if let file = kept.take(facts.identity) { file } else { try LocalFile(path, O_RDWR) }
        try file.lock(.alone)
        return HeldAnchor(path: path, file: file, seen: try text(in: file), keptIn: kept)
    }

    /// Like `hold`, but makes a file of zero bytes with the size of an anchor if there is no anchor of this
    /// vault.
    package func holdOrMake() throws(StoreError) -> HeldAnchor {
        let file = try PathChecks.lockedFile(path)
        let held = HeldAnchor(path: path, file: file, seen: try text(in: file), keptIn: kept)
        if held.seen == nil { try held.reserve() }
        return held
    }

    /// Raises the anchor to a head that was just read or written; a higher anchor stays.
    ///
    /// - Parameters:
    ///   - text: The anchor of the new head.
    ///   - last: The vault's position before the new head.
    ///   - isSynced: Whether the anchor must be on the disk before this returns.
    /// - Throws: `conflict` if another program went beyond `last` meanwhile: its changes would be lost.
    package func raise(
        to text: AnchorText,
        over last: Position? = nil,
        isSynced: Bool = false
    ) throws(StoreError) {
        let file = try PathChecks.lockedFile(path)
        if let present = try self.text(in: file) {
            if let last, present.position > last, present.position < text.position { throw .conflict }
            guard present.position < text.position else { return }
        } else {
            try file.cut()
        }
        try file.write(text.encoded, at: 0)
        if isSynced { try Self.sync(file, path) }
    }

    /// Syncs the file and the folder with its name.
    static func sync(_ file: LocalFile, _ path: String) throws(StoreError) {
        try file.sync()
        try LocalFile(Folder.parent(of: path), O_RDONLY | O_DIRECTORY, followsLinks: true).sync()
    }

    private func text(in file: LocalFile) throws(StoreError) -> AnchorText? {
        // Reads one byte more than an anchor has, to notice a longer file.
        let text = AnchorText(try file.read(upTo: AnchorText.size + 1))
        return text?.vaultID == vaultID ? text : nil
    }
}

/// The anchor, locked for one commit: no other process moves it between the comparison and the write.
///
/// A program locks the vault for writing first, then the anchor, and never waits for the vault again; so two
/// commits cannot wait for each other.
package final class HeldAnchor {
    /// The content when the file was locked; nil if it was not an anchor of this vault.
    package let seen: AnchorText?
    private let path: String
    private let file: LocalFile
    private let kept: KeptFile

    /// Owns an open, locked file; returns it to `kept` afterwards.
    init(path: String, file: LocalFile, seen: AnchorText?, keptIn kept: KeptFile) {
        self.path = path
        self.file = file
        self.seen = seen
        self.kept = kept
    }

    /// Raises the anchor to the head committed after `seen` was compared; turns a file without an anchor into
    /// one.
    ///
    /// With `isSynced` the anchor is on the disk when this returns.
    package func raise(to text: AnchorText, isSynced: Bool = false) throws(StoreError) {
        if seen == nil { try file.cut() }
        try file.write(text.encoded, at: 0)
        if isSynced { try Anchor.sync(file, path) }
    }

    /// Reserves the bytes of an anchor; the present content is not an anchor of this vault.
    func reserve() throws(StoreError) {
        try file.cut()
        try file.write([UInt8](repeating: 0, count: AnchorText.size), at: 0)
        try Anchor.sync(file, path)
    }

    deinit { kept.keep(file) }
}

/// A file that stays open between uses, because opening it took longer than using it.
///
/// One user at a time has the file. A lock belongs to its descriptor, so a second user opens the file anew
/// and waits for the first one's lock.
final class KeptFile: Sendable {
    private let kept = Mutex<LocalFile?>(nil)

    /// The open file, if it has this identity; nil if the path has another file by now, or the file is in
    /// use.
    func take(_ identity: FileFacts.Identity) -> LocalFile? {
        let file = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        return (try? file?.facts().identity) == identity ? file : nil
    }

    /// Unlocks the file and keeps it open, unless another one is kept already.
    func keep(_ file: LocalFile) {
        kept.withLock { kept in if kept == nil, file.unlock() { kept = file } }
    }
}
