package import FileStore
package import Presentation
package import RecordStore
package import SecretServiceStore
package import VaultKit
package import VaultLifecycle

extension Context {
    /// Opens the vault through the agent if it answers, otherwise in this process.
    package func openVault() async throws -> any VaultService {
        if let agent = try await agentForWork() { return CarriedService(CallerCarrier(agent, self.caller)) }
        return try vault(over: try openStore().store).ownService
    }

    /// The vault over a store opened in this process; warns about entries that the audit log could not keep.
    package func vault(over store: any Store) throws(Failure) -> Vault {
        let output = output
        // To read an old copy is not an operation on the vault, and the vault's log cannot be written then.
        let folder = globals.readsOldCopy ? nil : try place().auditFolder
        return Vault(store: store, auditFolder: folder) { error in
            output.warn(Warning("notLogged", Self.unlogged(error), hint: "hsip doctor"))
        }
    }

    /// The warning about an operation without an entry in the audit log.
    private static func unlogged(_ error: VaultError) -> String {
        let reason =
            switch error {
            case .audit(.noPlace): "its folder cannot be written"
            case .audit(.diskFull): "the disk is full"
            case .audit(.failed(let code)): "system error \(code)"
            default: Failure(error).message
            }
        return "this command is not in the audit log: \(reason)"
    }

    /// Opens the vault's store: finds it, compares it with its record, gets the secret if it has one, and unlocks it.
    ///
    /// - Throws: `notFound` (3) without a vault; `unavailable` (12) if the vault is not the recorded one, or
    ///   its keyring does not answer; `locked`, `keyringLocked` (5) without a user to ask; `wrongSecret` (6)
    ///   after the last try.
    func openStore() throws -> OpenedStore {
        let place = try place()
        guard !globals.readsOldCopy else {
            guard place.name == nil else {
                throw Failure.usage(
                    "--old-copy reads the file that --vault names",
                    hint: "hsip --vault FILE --old-copy secret list"
                )
            }
            return try openOldCopy(place.file)
        }
        return try opening {
            try unlocker(place).open(by: try secretSource(of: place), patience, now: now)
        }
    }

    /// Opens an older copy of a vault to read only, with the passphrase or code valid when the copy was made.
    package func openOldCopy(_ file: String) throws -> OpenedStore {
        let options = OpenOptions(readOnly: true, stale: true)
        let place = try VaultPlace(try AbsolutePath.of(file), environment)
        return try opening {
            try unlocker(place).open(by: try secretSource(of: place), patience, options, now: now)
        }
    }

    /// Opens a vault that was found.
    ///
    /// `patience` limits the wait for the keyring; nil for the usual limit of work. Throws as `openStore`
    /// does for an existing vault.
    package func open(
        _ found: FoundVault,
        at place: VaultPlace,
        _ options: OpenOptions = OpenOptions(),
        waiting patience: Patience? = nil
    ) throws -> OpenedStore {
        try opening {
            try unlocker(place).open(
                found,
                by: try secretSource(of: place),
                patience ?? self.patience,
                options,
                now: now
            )
        }
    }

    private func opening(_ body: () throws -> OpenedVault) throws -> OpenedStore {
        let opened = try unlocking(body)
        tell(opened.store.noted)
        if case .keyring(let store) = opened.store { tell(store) }
        companion = opened.companion
        return opened.store
    }

    /// The vault chosen by the options or the environment.
    package func place() throws(Failure) -> VaultPlace {
        do throws(OpeningError) {
            return try VaultPlace(globals.vault, environment)
        } catch {
            throw error.explanation(output.display)
        }
    }

    /// The file that remembers the vaults.
    package func config(_ place: VaultPlace) -> ConfigFile { locator(place).config }

    /// The locator of a vault.
    package func locator(_ place: VaultPlace) -> VaultLocator { VaultLocator(place, environment) }

    /// Converts errors of finding and opening a vault; errors of the store or of a file stay as they are.
    package func explaining<R: ~Copyable>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch OpeningError.store(.notFound) {
            throw missingVault
        } catch OpeningError.store(let error) {
            throw error
        } catch OpeningError.file(let error) {
            throw error
        } catch let error as OpeningError {
            throw error.explanation(output.display)
        }
    }

    /// The error for a vault that does not exist.
    private var missingVault: any Error {
        guard let place = try? place() else { return StoreError.notFound }
        return Failure(StoreError.notFound(at: place, output.display))
    }

    /// Finds the vault, which must be the vault that was recorded when it was made.
    ///
    /// So neither another vault nor a new empty one is used instead. A path from the user needs no record, but must
    /// agree with an existing record. This does not ask the keyring; opening does.
    @discardableResult
    package func find(_ place: VaultPlace) throws -> FoundVault {
        try explaining { try locator(place).find() }
    }

    /// Like `find`, but throws for a vault in the keyring.
    package func findFile(_ place: VaultPlace) throws -> FileOverview {
        switch try find(place) {
        case .file(let overview): return overview
        case .keyring: throw Failure(OpeningError.misplaced(.notForKeyring))
        }
    }
}
