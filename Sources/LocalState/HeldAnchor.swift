internal import Glibc
package import RecordStore

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
