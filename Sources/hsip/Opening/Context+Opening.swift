internal import Console
internal import FileStore
internal import RecordStore
internal import VaultCrypto
internal import VaultKit

extension Context {
    /// Opens the vault and makes it ready for acts.
    func openVault() async throws -> Vault {
        Vault(store: try await openStore())
    }

    /// Opens the store of the vault: finds it, compares it with what was recorded, gets the secret, unlocks.
    ///
    /// - Throws: `notFound` (3) without a vault; `unavailable` (12) when it is not the recorded one; `locked`
    ///   (5) when nobody can be asked; `wrongSecret` (6) after the last try.
    func openStore(readOnly: Bool = false) async throws -> FileStore {
        let place = try place()
        try checkRecord(place)
        return try unlock(place, OpenOptions(readOnly: readOnly)).store
    }

    /// The vault that is meant.
    func place() throws(Failure) -> VaultPlace {
        try VaultPlace(globals.vault, environment)
    }

    /// The file that remembers the vaults.
    func config(_ place: VaultPlace) -> ConfigFile {
        ConfigFile(path: place.configPath)
    }

    /// Gets the secret and opens the file, which must then still be the recorded one; the secret comes along
    /// for acts that need the vault key once more.
    func unlock(
        _ place: VaultPlace,
        _ options: OpenOptions = OpenOptions()
    ) throws -> (store: FileStore, secret: Unlock) {
        guard let source = try UnlockSource.find(globals, environment, terminal) else {
            throw StoreError.locked
        }
        var tries = source.tries
        while true {
            do {
                let secret = try secret(source, of: place)
                let store = try open(place, with: secret, options)
                try checkOpened(store, place)
                for event in store.noted { tell(event) }
                return (store, secret)
            } catch let error as StoreError where Self.isSlip(error) && tries > 1 {
                tries -= 1
                output.say("hsip: \(StoreTexts.text(of: error).0)")
            }
        }
    }

    /// The secret from its source.
    ///
    /// It is asked for while nothing is held open: a person may take their time.
    func secret(_ source: UnlockSource, of place: VaultPlace) throws -> Unlock {
        let name = place.key == "vault" ? "" : " of \(output.display.cell(place.key))"
        let typed = try source.read("Passphrase\(name)", self)
        guard typed.count > 0 else { throw ConsoleError.refused }
        return try TypedSecret.unlock(typed)
    }

    func open(
        _ place: VaultPlace,
        with unlock: Unlock,
        _ options: OpenOptions
    ) throws(StoreError) -> FileStore {
        try derivingKey(unlock.kind) { () throws(StoreError) in
            try FileStore.open(
                at: place.paths,
                unlock: unlock,
                options: options,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }
    }

    /// Says that a key is being derived, where that takes long: a recovery code needs no stretching.
    func derivingKey<R>(_ kind: SlotKind, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        guard kind == .passphrase else { return try body() }
        let hush = terminal.isAvailable && surroundings.errorIsTerminal ? Hush() : nil
        defer { hush?.end() }
        return try output.working("deriving key…", body)
    }

    /// What a person may try again.
    private static func isSlip(_ error: StoreError) -> Bool {
        error == .wrongSecret || error == .mistyped
    }

    /// The vault must be the one that was recorded when it was made: never another one in its place, and
    /// never an empty one beside a full one.
    ///
    /// A path that was given outright needs no record, but a record of it must agree.
    @discardableResult
    func checkRecord(_ place: VaultPlace) throws -> FileGlance {
        guard let record = try config(place).record(of: place.key) else {
            let glance = try FileStore.glance(at: place.paths)
            guard place.name == nil else { throw Misplaced.unrecorded(place) }
            return glance
        }
        guard record.backend == VaultRecord.file else { throw Misplaced.unknownBackend(place) }
        guard record.path == place.file else { throw Misplaced.moved(place) }
        guard Path.exists(record.path) else { throw Misplaced.missing(place) }
        let glance = try FileStore.glance(at: place.paths)
        guard glance.vaultID == record.id else { throw Misplaced.exchanged(place) }
        return glance
    }

    /// The same of the file that was opened: it may have been exchanged while the secret was asked for.
    func checkOpened(_ store: FileStore, _ place: VaultPlace) throws(Failure) {
        guard let record = try config(place).record(of: place.key) else {
            guard place.name == nil else { throw Misplaced.unrecorded(place) }
            return
        }
        guard store.vaultID == record.id else { throw Misplaced.exchanged(place) }
    }

    private func tell(_ event: StoreEvent) {
        switch event {
        case .anchorMissing:
            output.warn(
                Warning(
                    "anchorMissing",
                    "there was no memory of this vault's last state here; an older copy would not be noticed",
                    hint: "hsip vault verify"
                )
            )
        case .anchorNotWritten:
            output.note("the memory of the vault's last state could not be written")
        case .stale:
            output.note("this is an old copy of the vault, opened for reading only")
        case .logNotTruncated:
            output.note("another process holds the vault: what was removed stays in its log until it ends")
        }
    }
}
