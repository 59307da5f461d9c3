internal import CommandKit
internal import VaultLifecycle

extension Context {
    /// What is recorded of the vault, after ending a move that was stopped between its turning point and the
    /// writing down of it: the anchor has been raised to the copy, so the copy is the vault.
    func settledRecord(_ place: VaultPlace) throws -> VaultRecord? {
        try explaining { try locator(place).settledRecord() }
    }
}
