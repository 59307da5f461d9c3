internal import FileStore
internal import RecordStore
internal import SecretServiceStore
package import VaultCrypto

extension VaultFinder {
    /// Opens the vault where no person is needed for it: by a credential of the unit, a key slot in a keyring
    /// that is open, or the keyring itself.
    ///
    /// - Parameter now: Unix seconds.
    /// - Returns: nil where somebody has to be asked.
    /// - Throws: what stands in the way of the vault; a credential that does not open it is an error, too.
    package func openUnattended(now: Int64) throws(OpeningError) -> OpenedVault? {
        switch try find(isOpenedNext: true) {
        case .keyring(let record):
            do throws(OpeningError) {
                return OpenedVault(.keyring(try openKeyring(record, .script)), at: self)
            } catch .store(.keyringLocked) {
                return nil
            }
        case .file(let glance):
            if let credential = try Credential.passphrase(environment) {
                return try open(glance, isNamed: true, now: now) { companion, options throws(StoreError) in
                    try open(with: try TypedSecret.unlock(credential), options, after: glance)
                }
            }
            return try open(glance, isNamed: false, now: now) { companion, options throws(StoreError) in
                try companion?.open { unlock throws(StoreError) in
                    try open(with: unlock, options, after: glance)
                }?.store
            }
        }
    }

    /// Opens the vault that lies in the keyring; a locked keyring asks the person for its own password.
    ///
    /// - Parameter mayAsk: whether the person sits at the desktop, where the keyring asks.
    /// - Returns: nil for a vault file, which opens by a passphrase.
    /// - Throws: `store(.keyringLocked)` where the keyring is locked and nobody may be asked.
    package func openByKeeper(mayAsk: Bool) throws(OpeningError) -> OpenedVault? {
        guard case .keyring(let record) = try find(isOpenedNext: false) else { return nil }
        return OpenedVault(.keyring(try openKeyring(record, mayAsk ? .person : .script)), at: self)
    }

    /// Opens the vault with what somebody typed: a passphrase or a recovery code.
    ///
    /// A vault in the keyring has no passphrase: the keyring itself is asked, and what was typed is not used.
    ///
    /// - Parameter now: Unix seconds.
    /// - Throws: `store(.wrongSecret)` and `store(.mistyped)` are slips that may be tried again.
    package func open(typed: Secret, now: Int64) throws(OpeningError) -> OpenedVault {
        switch try find() {
        case .keyring(let record): return OpenedVault(.keyring(try openKeyring(record, .person)), at: self)
        case .file(let glance):
            let opened = try open(glance, isNamed: true, now: now) { companion, options throws(StoreError) in
                try open(with: try TypedSecret.unlock(typed), options, after: glance)
            }
            guard let opened else { throw .store(.locked) }
            return opened
        }
    }

    private func open(
        _ glance: FileGlance,
        isNamed: Bool,
        now: Int64,
        _ body: (KeyringCompanion?, OpenOptions) throws(StoreError) -> FileStore?
    ) throws(OpeningError) -> OpenedVault? {
        let companion = companion(glance, isNeeded: !isNamed, now: now)
        var options = OpenOptions()
        options.furtherAnchor = companion?.anchor
        let store: FileStore
        do throws(StoreError) {
            guard let opened = try body(companion, options) else { return nil }
            store = opened
        } catch {
            throw .store(error)
        }
        try checkOpened(store)
        companion?.opened = store
        return OpenedVault(.file(store), at: self, companion)
    }
}
