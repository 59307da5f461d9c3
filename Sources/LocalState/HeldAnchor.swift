internal import Glibc
package import RecordStore

/// The anchor held still for one commit: from the comparison until the new head is written nobody else moves it.
///
/// Whoever holds it holds the vault's write lock first and never waits for that lock again, so two commits
/// cannot wait for each other.
package final class HeldAnchor {
    /// What it said when it was taken; nil when that was no anchor of this vault.
    package let seen: AnchorText?
    private let file: Int32

    /// Takes over an open, locked file.
    init(file: Int32, seen: AnchorText?) {
        self.file = file
        self.seen = seen
    }

    /// Raises it to the head that was committed after `seen` was compared; what was no anchor becomes one.
    package func raise(to text: AnchorText) throws(StoreError) {
        defer { withExtendedLifetime(self) {} }
        if seen == nil { try SystemCall.retry { ftruncate(file, 0) } }
        let bytes = text.encoded
        let count = try SystemCall.retry { unsafe pwrite(file, bytes, bytes.count, 0) }
        guard count == bytes.count else { throw .diskFull }
    }

    deinit { close(file) }
}
