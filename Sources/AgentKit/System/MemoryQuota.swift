internal import CLinux
internal import Synchronization

/// The locked memory that may be taken for what clients announce, over all of them: a client that announces much must not
/// leave the keys of the vault without.
package final class MemoryQuota: Sendable {
    /// A part of it; given back with its last holder.
    package final class Share: Sendable {
        private let quota: MemoryQuota
        private let bytes: Int

        fileprivate init(_ quota: MemoryQuota, _ bytes: Int) {
            (self.quota, self.bytes) = (quota, bytes)
        }

        deinit { quota.taken.withLock { $0 -= bytes } }
    }

    /// Bytes in all where the system sets no limit: two whole requests.
    package static let maximum = 16 << 20
    /// Bytes in all however little may be locked: one frame of the largest size.
    package static let least = 2 << 20

    private let limit: Int
    private let taken = Mutex(0)

    /// - Parameter lockable: bytes that the process may lock, of which half is kept for keys; nil for no limit.
    package init(lockable: Int? = nil) {
        limit = max(Self.least, min(Self.maximum, lockable.map { $0 / 2 } ?? Self.maximum))
    }

    /// Bytes that are taken.
    package var inUse: Int { taken.withLock { $0 } }

    /// Takes a part of it; nil when there is not so much left.
    package func share(_ bytes: Int) -> Share? {
        let isThere = taken.withLock { taken in
            guard bytes <= limit - taken else { return false }
            taken += bytes
            return true
        }
        return isThere ? Share(self, bytes) : nil
    }
}

/// Keeps small what an agent that waits takes of the machine's memory.
///
/// Starting, and deriving a key, run through much code that is not needed again for hours, and the kernel maps a good
/// deal around each place that runs. All of it is in the page cache anyway; given back, it counts for no process.
package struct Footprint: LockObserver {
    /// An agent that has just started, or has been idle, is as good a moment as those that it is told of.
    package init() {}

    /// Gives back what is only a copy of a file; what is needed comes back by itself.
    package func shrink() { hsip_let_go_of_code() }

    /// The key has been derived.
    package func vaultOpened(_ vault: OpenVault, for seconds: Int?) { shrink() }

    /// Nothing is asked of a locked vault for a while.
    package func vaultLocked(_ reason: LockReason) { shrink() }
}
