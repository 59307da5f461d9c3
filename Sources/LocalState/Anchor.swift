internal import Glibc
package import RecordStore

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
        let file = try SystemCall.retry { unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        defer { close(file) }
        // Half of one writing and half of the next would look like a fork.
        try SystemCall.lock(file, LOCK_SH)
        return try Self.text(file, vaultID)
    }

    /// Takes the anchor for one commit; nil when there is none yet.
    ///
    /// - Throws: `unsafeFile` when another user could have written it.
    package func hold() throws(StoreError) -> HeldAnchor? {
        guard let facts = try PathChecks.facts(ofFile: path) else { return nil }
        if let file = kept.take(facts.identity) { return try lock(file) }
        return try take(O_RDWR)
    }

    /// The same, and where there is none, a file that says nothing of any vault yet and has room for an anchor.
    package func holdOrMake() throws(StoreError) -> HeldAnchor {
        try PathChecks.makeFolder(PathChecks.parent(of: path))
        _ = try PathChecks.file(path)
        let held = try take(O_RDWR | O_CREAT)
        if held.seen == nil { try held.reserve() }
        return held
    }

    private func take(_ flags: Int32) throws(StoreError) -> HeldAnchor {
        let file = try SystemCall.retry {
            unsafe open(path, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        return try lock(file)
    }

    private func lock(_ file: Int32) throws(StoreError) -> HeldAnchor {
        do throws(StoreError) {
            try SystemCall.lock(file, LOCK_EX)
            return HeldAnchor(path: path, file: file, seen: try Self.text(file, vaultID), keptIn: kept)
        } catch {
            close(file)
            throw error
        }
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
        try PathChecks.makeFolder(PathChecks.parent(of: path))
        _ = try PathChecks.file(path)
        let file = try SystemCall.retry {
            unsafe open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        defer { close(file) }
        try SystemCall.lock(file, LOCK_EX)
        if let present = try Self.text(file, vaultID) {
            if let last, present.position > last, present.position < text.position { throw .conflict }
            guard present.position < text.position else { return }
        } else {
            try SystemCall.retry { ftruncate(file, 0) }
        }
        try Self.write(text, to: file)
        if isSynced { try Self.sync(file, path) }
    }

    static func write(_ text: AnchorText, to file: Int32) throws(StoreError) {
        try write(text.encoded, to: file)
    }

    static func write(_ bytes: [UInt8], to file: Int32) throws(StoreError) {
        let count = try SystemCall.retry { unsafe pwrite(file, bytes, bytes.count, 0) }
        guard count == bytes.count else { throw .diskFull }
    }

    /// Puts the file on the disk, and its name in the folder.
    static func sync(_ file: Int32, _ path: String) throws(StoreError) {
        try SystemCall.retry { fsync(file) }
        let parent = PathChecks.parent(of: path)
        let folder = try SystemCall.retry { unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(folder) }
        try SystemCall.retry { fsync(folder) }
    }

    private static func text(_ file: Int32, _ vaultID: [UInt8]) throws(StoreError) -> AnchorText? {
        // One byte more than an anchor has, so a longer file is seen to be one.
        var bytes = [UInt8](repeating: 0, count: AnchorText.size + 1)
        let count = try SystemCall.retry { unsafe pread(file, &bytes, bytes.count, 0) }
        guard let text = AnchorText(Array(bytes.prefix(count))), text.vaultID == vaultID else { return nil }
        return text
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
    private let file: Int32
    private let kept: KeptFile

    /// Takes over an open, locked file, which goes to `kept` afterwards.
    init(path: String, file: Int32, seen: AnchorText?, keptIn kept: KeptFile) {
        self.path = path
        self.file = file
        self.seen = seen
        self.kept = kept
    }

    /// Raises it to the head that was committed after `seen` was compared; what was no anchor becomes one.
    ///
    /// With `isSynced` it is on the disk when this returns.
    package func raise(to text: AnchorText, isSynced: Bool = false) throws(StoreError) {
        defer { withExtendedLifetime(self) {} }
        if seen == nil { try SystemCall.retry { ftruncate(file, 0) } }
        try Anchor.write(text, to: file)
        if isSynced { try Anchor.sync(file, path) }
    }

    /// Takes the room that an anchor needs: what is there now is no anchor of this vault.
    func reserve() throws(StoreError) {
        defer { withExtendedLifetime(self) {} }
        try SystemCall.retry { ftruncate(file, 0) }
        try Anchor.write([UInt8](repeating: 0, count: AnchorText.size), to: file)
        try Anchor.sync(file, path)
    }

    deinit { kept.keep(file) }
}
