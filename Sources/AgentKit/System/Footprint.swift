internal import CLinux

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
