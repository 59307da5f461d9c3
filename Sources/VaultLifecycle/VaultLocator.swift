package import FileStore
package import RecordStore
package import SecretServiceStore
package import System
internal import VaultCrypto

/// Finds one vault, without asking a person or the keyring, and compares it with its record.
///
/// Every program uses this type, so that all find the same vault by the same rules.
package struct VaultLocator: Sendable {
    package let place: VaultPlace
    package let environment: Environment

    /// A locator of the vault at a place.
    package init(_ place: VaultPlace, _ environment: Environment) {
        self.place = place
        self.environment = environment
    }

    /// The file that remembers the vaults.
    package var config: ConfigFile { ConfigFile(path: place.configPath) }

    /// Finds the vault, which must be the recorded one: never another, and never an empty one beside a full one.
    ///
    /// A path that was given outright needs no record, but a record of it must agree. The keyring is not
    /// asked here: opening finds out.
    ///
    /// - Parameter isOpenedNext: keeps the connection to a file for that.
    /// - Returns: what the file shows of itself, or the record of a vault in the keyring.
    /// - Throws: `misplaced` when the vault is not what was recorded; `store` for a file that is missing or
    ///   no vault; what reading and writing `config.json` throws.
    package func find(isOpenedNext: Bool = false) throws(OpeningError) -> FoundVault {
        guard let record = try settledRecord() else {
            let overview = try overview(isOpenedNext)
            guard place.name == nil else { throw .misplaced(.unrecorded(file: place.file)) }
            return .file(overview)
        }
        switch record.storage {
        case .unknown: throw .misplaced(.unknownBackend)
        case .keyring: return .keyring(record)
        case .file(let path):
            guard path == place.file else { throw .misplaced(.moved(file: place.file)) }
            guard Path.exists(path) else { throw .misplaced(.missing(file: place.file)) }
            let overview = try overview(isOpenedNext)
            guard overview.vaultID == record.id else { throw .misplaced(.exchanged(file: place.file)) }
            return .file(overview)
        }
    }

    /// Checks that the opened file is still the found file: another program may exchange it while the user types the secret.
    package func checkOpened(_ store: FileStore, _ found: FileOverview) throws(OpeningError) {
        guard store.vaultID == found.vaultID else { throw .misplaced(.exchanged(file: place.file)) }
    }

    /// What is recorded of the vault, after ending a move that was stopped between its turning point and the
    /// writing down of it: the anchor has been raised to the copy, so the copy is the vault.
    package func settledRecord() throws(OpeningError) -> VaultRecord? {
        let present = try config.record(of: place.key)
        guard let record = present, let note = record.move else { return present }
        let anchor = Anchor(path: place.paths.anchor(record.id), vaultID: record.id)
        let seen = try asOpeningError { try anchor.read() }
        guard let seen, seen.position >= note.position else { return record }
        try config.revise(place.key) { present in
            guard let present, present.move == note else { return present }
            return present.moved(to: note.target, now: note.started)
        }
        return try config.record(of: place.key)
    }

    /// Keeps every other move of this vault, and the removal of what one left, waiting.
    ///
    /// - Throws: `busy` after ten seconds.
    package func moveLock(_ vaultID: [UInt8]) throws(StoreError) -> HeldLock {
        let path = "\(place.paths.anchorFolder)/move-\(Hex.encode(vaultID))"
        return try VaultLock(path: path, vaultID: vaultID).exclusive()
    }

    /// Connects to the Secret Service of this session.
    package func connect(_ patience: Patience) throws(StoreError) -> SecretService {
        try SecretService.connect(environment: environment.busVariables, patience: patience)
    }

    /// Where the anchor and the lock of a vault in the keyring are stored.
    package var keyringPaths: KeyringPaths {
        KeyringPaths(anchorFolder: place.paths.anchorFolder, environment: environment.busVariables)
    }

    /// Reads what the keyring keeps for a vault file; nil, without asking the keyring, if no key slot needs it.
    ///
    /// Nobody is asked, and nothing waits longer than two seconds. If a secret was named, a keyring that was too
    /// slow within the last minute is not asked.
    ///
    /// - Parameters:
    ///   - overview: The file as it was found.
    ///   - isNeeded: Whether the keyring may open the vault, because no secret was named.
    ///   - now: Unix seconds.
    /// - Returns: nil also for a keyring that is left alone; a keyring that does not answer sets `failure`.
    package func companion(_ overview: FileOverview, isNeeded: Bool, now: Int64) -> KeyringCompanion? {
        guard overview.has(.secretService) else { return nil }
        let memory = KeyringMemory(place, overview.vaultID)
        if !isNeeded, memory.wasTooSlow(now) { return nil }
        do throws(StoreError) {
            return try KeyringCompanion(try connect(.probe), overview.vaultID)
        } catch {
            if error == .keyringTimeout { memory.write(error, at: now) }
            return KeyringCompanion(failed: error)
        }
    }

    private func overview(_ isOpenedNext: Bool) throws(OpeningError) -> FileOverview {
        try asOpeningError {
            try FileStore.overview(at: place.paths, keepsConnection: isOpenedNext)
        }
    }
}

extension Environment {
    /// The variables that lead to the session bus.
    package var busVariables: [String: String] {
        var variables: [String: String] = [:]
        for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { variables[name] = self[name] }
        return variables
    }
}
