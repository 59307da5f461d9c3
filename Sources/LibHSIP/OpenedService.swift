internal import VaultKit

/// A vault that is open, or an agent that has it, and what ends that.
struct OpenedService: Sendable {
    let vault: any VaultService
    /// Where the public halves of its SSH keys are published.
    let publicKeyFolder: String
    /// Wipes what lies in this process.
    let end: @Sendable () -> Void
}
