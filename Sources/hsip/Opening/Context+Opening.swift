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
    func openStore(readOnly: Bool = false, allowsStale: Bool = false) async throws -> FileStore {
        let place = try VaultPlace(globals.vault, environment)
        try checkRecord(place)
        let store = try unlock(
            place, OpenOptions(readOnly: readOnly, stale: allowsStale))
        for event in store.noted { tell(event) }
        return store
    }

    /// Asks for the secret and opens the file, without looking at `config.json`.
    func unlock(_ place: VaultPlace, _ options: OpenOptions) throws -> FileStore {
        guard let source = try UnlockSource.find(globals, environment, terminal) else {
            throw StoreError.locked
        }
        var tries = source.tries
        while true {
            do {
                return try open(place, with: try secret(source, of: place), options)
            } catch let error as StoreError where Self.isSlip(error) && tries > 1 {
                tries -= 1
                output.say("hsip: \(StoreTexts.text(of: error).0)")
            }
        }
    }

    /// The secret from its source. It is asked for while nothing is held open: a person may take their time.
    func secret(_ source: UnlockSource, of place: VaultPlace) throws -> Unlock {
        let name = place.key == "vault" ? "" : " of \(shown(place.key))"
        return try TypedSecret.unlock(try source.read("Passphrase\(name)", terminal))
    }

    private func open(
        _ place: VaultPlace, with unlock: Unlock, _ options: OpenOptions
    ) throws(StoreError) -> FileStore {
        try output.working("deriving key…") { () throws(StoreError) in
            try FileStore.open(
                at: place.paths, unlock: unlock, options: options, entropy: .system,
                now: SystemTime.milliseconds)
        }
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
        let record = try ConfigFile(path: place.configPath).record(of: place.key)
        guard let record else {
            let glance = try FileStore.glance(at: place.paths)
            guard place.name == nil else { throw Self.unrecorded(place) }
            return glance
        }
        guard record.backend == VaultRecord.file else { throw Self.unknownBackend(place) }
        guard record.path == place.paths.vault else { throw Self.moved(place) }
        let glance: FileGlance
        do throws(StoreError) {
            glance = try FileStore.glance(at: place.paths)
        } catch .notFound {
            throw Self.missing(place)
        }
        guard glance.vaultID == record.id else { throw Self.exchanged(place) }
        return glance
    }

    private func tell(_ event: FileEvent) {
        switch event {
        case .anchorMissing:
            output.warn(
                Warning(
                    "anchorMissing",
                    "there was no memory of this vault's last state here; an older copy would not be noticed",
                    hint: "hsip vault verify"))
        case .anchorNotWritten:
            output.note("the memory of the vault's last state could not be written")
        case .stale:
            output.note("this is an old copy of the vault, opened for reading only")
        case .logNotTruncated:
            output.note("another process holds the vault: what was removed stays in its log until it ends")
        }
    }
}

extension Context {
    private static func unavailable(_ message: String, _ hint: String) -> Failure {
        Failure(.unavailable, code: "unavailable", message: message, hint: hint)
    }

    private static func unrecorded(_ place: VaultPlace) -> Failure {
        unavailable(
            "there is a vault at \(place.paths.vault) that was not recorded here",
            "hsip doctor --fix  records it, if it is yours")
    }

    private static func unknownBackend(_ place: VaultPlace) -> Failure {
        unavailable(
            "the vault \(place.key) is kept in a way this program does not know", "update hsip")
    }

    private static func moved(_ place: VaultPlace) -> Failure {
        unavailable(
            "the vault \(place.key) was recorded at another path than \(place.paths.vault)",
            "set $XDG_DATA_HOME as it was, or hsip doctor --fix")
    }

    static func missing(_ place: VaultPlace) -> Failure {
        unavailable(
            "the vault \(place.key) was made at \(place.paths.vault), and the file is gone",
            "put the file back, or hsip doctor --fix  forgets it")
    }

    private static func exchanged(_ place: VaultPlace) -> Failure {
        unavailable(
            "the file at \(place.paths.vault) is another vault than the one recorded",
            "put the right file back, or hsip doctor --fix")
    }
}
