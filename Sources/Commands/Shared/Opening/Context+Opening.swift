package import FileStore
package import Presentation
package import RecordStore
package import SecretServiceStore
package import VaultKit
package import VaultLifecycle

extension Context {
    /// Opens the vault and makes it ready for acts: through the agent where one answers, else in this process.
    package func openVault() async throws -> any VaultService {
        if let agent = try await agentForWork() { return CarriedService(CallerCarrier(agent, self.caller)) }
        return try vault(over: try openStore().store).ownService
    }

    /// The vault over a store that was opened in this process; what cannot be written to the audit log is said.
    package func vault(over store: any Store) throws(Failure) -> Vault {
        let output = output
        // What is read of an old copy is no act on the vault, whose log it cannot write.
        let folder = globals.readsOldCopy ? nil : try place().auditFolder
        return Vault(store: store, auditFolder: folder) { error in
            output.warn(Warning("notLogged", Self.unlogged(error), hint: "hsip doctor"))
        }
    }

    /// What is said of an act that went on without an entry in the audit log.
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

    /// Opens the store of the vault: finds it, compares it with what was recorded, gets the secret where there
    /// is one, unlocks.
    ///
    /// - Throws: `notFound` (3) without a vault; `unavailable` (12) when it is not the recorded one, or its
    ///   keyring does not answer; `locked`, `keyringLocked` (5) without a user to ask; `wrongSecret` (6)
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

    /// Opens an older copy of a vault by what opened it when it was made, for reading only.
    package func openOldCopy(_ file: String) throws -> OpenedStore {
        let options = OpenOptions(readOnly: true, stale: true)
        let place = try VaultPlace(try AbsolutePath.of(file), environment)
        return try opening {
            try unlocker(place).open(by: try secretSource(of: place), patience, options, now: now)
        }
    }

    /// Opens a vault that was found.
    ///
    /// `patience` is how long its keyring is waited for; nil for as long as work is worth it. Throws as
    /// `openStore` does for a vault that is there.
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

    /// The vault that is meant.
    package func place() throws(Failure) -> VaultPlace {
        do throws(OpeningError) {
            return try VaultPlace(globals.vault, environment)
        } catch {
            throw error.explanation(output.display)
        }
    }

    /// The file that remembers the vaults.
    package func config(_ place: VaultPlace) -> ConfigFile { locator(place).config }

    /// The way to a vault.
    package func locator(_ place: VaultPlace) -> VaultLocator { VaultLocator(place, environment) }

    /// What went wrong on that way, in the words of the program; what the store or a file said comes as it was.
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

    /// The vault must be the one that was recorded when it was made: never another one in its place, and
    /// never an empty one beside a full one.
    ///
    /// A path that was given outright needs no record, but a record of it must agree. The keyring is not asked
    /// here: opening finds out.
    @discardableResult
    package func find(_ place: VaultPlace) throws -> FoundVault {
        try explaining { try locator(place).find() }
    }

    /// The same where only a file will do.
    package func findFile(_ place: VaultPlace) throws -> FileGlance {
        switch try find(place) {
        case .file(let glance): return glance
        case .keyring: throw Failure(OpeningError.misplaced(.notForKeyring))
        }
    }
}
