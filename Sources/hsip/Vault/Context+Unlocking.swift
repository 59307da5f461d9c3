internal import AgentProtocol
internal import Console
internal import FileStore
internal import Programs
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultLifecycle

extension Context {
    /// Gets the secret and opens the file, which must then still be the recorded one; the secret comes along
    /// for acts that need the vault key once more.
    ///
    /// A secret that was named comes first, then a key slot in an open keyring, then the person.
    ///
    /// - Parameter asks: false leaves the person in peace.
    func unlock(
        _ place: VaultPlace,
        _ glance: FileGlance,
        _ options: OpenOptions = OpenOptions(),
        asks: Bool = true
    ) throws -> (store: FileStore, secret: Unlock) {
        let source = try UnlockSource.find(globals, environment, terminal)
        let isNamed = source?.isNamed ?? false
        let companion = finder(place).companion(glance, isNeeded: !isNamed, now: now)
        self.companion = companion
        var options = options
        options.furtherAnchor = companion?.anchor
        if !isNamed, let companion, let opened = try open(place, glance, by: companion, options) {
            return opened
        }
        guard let source, isNamed || asks else { throw lockedForThis }
        // A person may take their time.
        if !isNamed { glance.letGo() }
        return try unlock(place, glance, from: source, options)
    }

    private func unlock(
        _ place: VaultPlace,
        _ glance: FileGlance,
        from source: UnlockSource,
        _ options: OpenOptions
    ) throws -> (store: FileStore, secret: Unlock) {
        var tries = source.tries
        while true {
            do {
                let secret = try secret(source, of: place)
                let store = try open(place, with: secret, options, after: glance)
                return (try finish(store, place), secret)
            } catch let error as StoreError where Self.isSlip(error) && tries > 1 {
                tries -= 1
                output.say("hsip: \(StoreTexts.text(of: error).0)")
            }
        }
    }

    /// Opens the file by a slot whose secret lies in the keyring; nil when none of them fits, which is no
    /// error: nobody named that source.
    private func open(
        _ place: VaultPlace,
        _ glance: FileGlance,
        by companion: KeyringCompanion,
        _ options: OpenOptions
    ) throws -> (store: FileStore, secret: Unlock)? {
        guard
            let (store, secret) = try companion.open({ unlock throws(StoreError) in
                try open(place, with: unlock, options, after: glance)
            })
        else { return nil }
        return (try finish(store, place), secret)
    }

    private func finish(_ store: FileStore, _ place: VaultPlace) throws -> FileStore {
        try checkOpened(store, place)
        tell(store.noted)
        companion?.opened = store
        return store
    }

    /// The secret from its source.
    ///
    /// It is asked for while nothing is held open: a person may take their time.
    func secret(_ source: UnlockSource, of place: VaultPlace) throws -> Unlock {
        let name = place.key == "vault" ? "" : " of \(output.display.cell(place.key))"
        let reason = purpose ?? (isOpenInAgent ? Self.keptByAgent : nil)
        let why = reason.map { "\(name.isEmpty ? " of the vault" : ""), \($0)" } ?? ""
        let typed = try source.read("Passphrase\(name)\(why)", self)
        guard typed.count > 0 else { throw ConsoleError.refused }
        return try TypedSecret.unlock(typed)
    }

    func open(
        _ place: VaultPlace,
        with unlock: Unlock,
        _ options: OpenOptions,
        after glance: FileGlance? = nil
    ) throws(StoreError) -> FileStore {
        try derivingKey(unlock.kind) { () throws(StoreError) in
            try finder(place).open(with: unlock, options, after: glance)
        }
    }

    /// Says that a key is being derived, where that takes long: a recovery code needs no stretching.
    func derivingKey<R>(_ kind: SlotKind, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        guard kind == .passphrase else { return try body() }
        let hush = terminal.isAvailable && surroundings.errorIsTerminal ? Hush() : nil
        defer { hush?.end() }
        return try output.working("deriving key…", body)
    }

    /// What is left to be done when a command has ended, well or badly.
    func finish() {
        guard let companion, let place = try? place(), let store = companion.opened else { return }
        companion.remember(KeyringMemory(place, store.vaultID), name: place.key, now: now)
    }

    /// The agent has the vault open, and this command works without it: on the file itself.
    private var isOpenInAgent: Bool {
        !globals.avoidsAgent && (try? connectToAgent())?.agent.isLocked == false
    }

    /// Why the passphrase is asked for although the agent has the vault open.
    private static let keptByAgent = "to work on its file (the agent gives the key to no program)"

    /// Nobody can be asked; where the agent has the vault open, that needs a word more.
    private var lockedForThis: any Error {
        guard isOpenInAgent else { return StoreError.locked }
        return Failure(
            .locked,
            code: "locked",
            message: "this works on the vault's file and needs the passphrase or the recovery code, although "
                + "the agent has the vault open: it gives the key to no program",
            hint: "--passphrase-file FILE"
        )
    }

    /// What a person may try again.
    static func isSlip(_ error: StoreError) -> Bool {
        error == .wrongSecret || error == .mistyped
    }
}
