internal import Files
internal import Glibc
internal import Synchronization

/// The newest head this machine has seen of one vault, in a file outside the vault's folder.
///
/// Written after a commit has returned, under a lock of the file, only upwards. Where the store itself keeps what it
/// has acknowledged, it is not synced: a lost update only lowers it, so it never raises a false alarm. Where only the
/// anchor tells that a commit was lost, it is synced, and its folder with it.
package struct Anchor: Sendable {
    package let path: String
    private let vaultID: [UInt8]
    private let kept = KeptFile()

    /// The anchor of one vault, whether it exists or not.
    package init(path: String, vaultID: [UInt8]) {
        self.path = path
        self.vaultID = vaultID
    }

    /// The anchor as it stands; nil when it is missing, malformed or of another vault.
    ///
    /// - Throws: `unsafeFile` when another user could have written it.
    package func read() throws(StoreError) -> AnchorText? {
        guard try PathChecks.file(path) else { return nil }
        let file = try LocalFile(path, O_RDONLY)
        // Half of one writing and half of the next would look like a fork.
        try file.lock(.shared)
        return try text(in: file)
    }

    /// Takes the anchor for one commit; nil when there is none yet.
    ///
    /// - Throws: `unsafeFile` when another user could have written it.
    package func hold() throws(StoreError) -> HeldAnchor? {
        guard let facts = try PathChecks.facts(ofFile: path) else { return nil }
        let file = if let file = kept.take(facts.identity) { file } else { try LocalFile(path, O_RDWR) }
        try file.lock(.alone)
        return HeldAnchor(path: path, file: file, seen: try text(in: file), keptIn: kept)
    }

    /// The same, and where there is none, a file that says nothing of any vault yet and has room for an anchor.
    package func holdOrMake() throws(StoreError) -> HeldAnchor {
        let file = try PathChecks.lockedFile(path)
        let held = HeldAnchor(path: path, file: file, seen: try text(in: file), keptIn: kept)
        if held.seen == nil { try held.reserve() }
        return held
    }

    /// Raises the anchor to a head that was just seen or written; a higher one stays.
    ///
    /// - Parameters:
    ///   - text: The anchor of that head.
    ///   - last: Where the vault was that the head takes the place of.
    ///   - isSynced: Whether it is on the disk when this returns.
    /// - Throws: `conflict` when another program went beyond `last` meanwhile: what that one wrote would be
    ///   lost.
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

    /// Puts the file on the disk, and its name in the folder.
    static func sync(_ file: LocalFile, _ path: String) throws(StoreError) {
        try file.sync()
        try LocalFile(Folder.parent(of: path), O_RDONLY | O_DIRECTORY, followsLinks: true).sync()
    }

    private func text(in file: LocalFile) throws(StoreError) -> AnchorText? {
        // One byte more than an anchor has, so a longer file is seen to be one.
        let text = AnchorText(try file.read(upTo: AnchorText.size + 1))
        return text?.vaultID == vaultID ? text : nil
    }
}

/// The anchor held still for one commit: from the comparison until the new head is written no other process moves it.
///
/// A program that holds it holds the vault's write lock first and never waits for that lock again, so two commits
/// cannot wait for each other.
package final class HeldAnchor {
    /// What it said when it was taken; nil when that was no anchor of this vault.
    package let seen: AnchorText?
    private let path: String
    private let file: LocalFile
    private let kept: KeptFile

    /// Takes over an open, locked file, which goes to `kept` afterwards.
    init(path: String, file: LocalFile, seen: AnchorText?, keptIn kept: KeptFile) {
        self.path = path
        self.file = file
        self.seen = seen
        self.kept = kept
    }

    /// Raises it to the head that was committed after `seen` was compared; what was no anchor becomes one.
    ///
    /// With `isSynced` it is on the disk when this returns.
    package func raise(to text: AnchorText, isSynced: Bool = false) throws(StoreError) {
        if seen == nil { try file.cut() }
        try file.write(text.encoded, at: 0)
        if isSynced { try Anchor.sync(file, path) }
    }

    /// Takes the room that an anchor needs: what is there now is no anchor of this vault.
    func reserve() throws(StoreError) {
        try file.cut()
        try file.write([UInt8](repeating: 0, count: AnchorText.size), at: 0)
        try Anchor.sync(file, path)
    }

    deinit { kept.keep(file) }
}

/// A file that stays open from one use to the next: to open it took longer than what is done with it.
///
/// One user at a time has it. A lock of the file belongs to the descriptor, so a second one opens the file anew and
/// waits for the first one's lock.
final class KeptFile: Sendable {
    private let kept = Mutex<LocalFile?>(nil)

    /// The open file, if it is this very file; nil where another file has the name by now, or the file is in use.
    func take(_ identity: FileFacts.Identity) -> LocalFile? {
        let file = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        return (try? file?.facts().identity) == identity ? file : nil
    }

    /// Gives its lock back and keeps it, unless one is kept already: then it is closed with its last holder.
    func keep(_ file: LocalFile) {
        kept.withLock { kept in if kept == nil, file.unlock() { kept = file } }
    }
}
