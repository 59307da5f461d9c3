package import FileStore
package import RecordStore
package import SecretServiceStore
internal import VaultCrypto

/// Opens one vault, by the same rules for every program: a secret that was named comes first and alone, then a key slot
/// in an open keyring, then a slot of the TPM without a PIN, then the person.
package struct VaultUnlocker {
    /// How often a person may give a secret.
    private static let tries = 3

    package let locator: VaultLocator
    private let progress: any Progress
    let hardware: HardwareClient?

    /// - Parameters:
    ///   - locator: Finds the vault.
    ///   - progress: Shows long steps.
    ///   - hardware: Asks the TPM; nil in a library, which starts no programs.
    package init(
        _ locator: VaultLocator,
        showing progress: any Progress = NoProgress(),
        hardware: HardwareClient? = nil
    ) {
        self.locator = locator
        self.progress = progress
        self.hardware = hardware
    }

    /// Finds the vault and opens it.
    ///
    /// - Parameters:
    ///   - source: Gives the secret of a file; nil if there is no way to ask for a secret.
    ///   - patience: How a keyring is waited for, and whether it may ask the person for its own password.
    ///   - options: Whether it is written to, and which states of it are accepted.
    ///   - now: Unix seconds.
    /// - Returns: The vault, and what the keyring keeps for it.
    /// - Throws: why the vault cannot be opened; `store(.locked)` for a file that needs a secret if there is no
    ///   source; `store(.wrongSecret)` after the last try; `needlessSecret` for an option that names a secret of a
    ///   vault in the keyring.
    package func open(
        by source: (any SecretSource)?,
        _ patience: Patience,
        _ options: OpenOptions = OpenOptions(),
        now: Int64
    ) throws(OpeningError) -> OpenedVault {
        let found = try locator.find(isOpenedNext: true)
        do throws(OpeningError) {
            return try open(found, by: source, patience, options, now: now)
        } catch {
            // If the vault was moved between finding and opening it, no old copy was put back: open it where it is now.
            guard case .store(.rollback) = error, let moved = try? locator.find(),
                moved.backend != found.backend
            else { throw error }
            return try open(moved, by: source, patience, options, now: now)
        }
    }

    /// Opens a vault that was found.
    package func open(
        _ found: FoundVault,
        by source: (any SecretSource)?,
        _ patience: Patience,
        _ options: OpenOptions = OpenOptions(),
        now: Int64
    ) throws(OpeningError) -> OpenedVault {
        switch found {
        case .file(let overview):
            let file = try openFile(overview, by: source, options, now: now)
            return OpenedVault(.file(file.store), at: locator, file.companion)
        case .keyring(let record):
            if let option = source?.option { throw .needlessSecret(option: option) }
            return OpenedVault(.keyring(try openKeyring(record, patience, options)), at: locator)
        }
    }

    /// Opens a vault file, which must then still be the recorded one.
    ///
    /// If `isByHand` is true, the slots in the keyring and the TPM are not tried: the person's own secret is needed.
    package func openFile(
        _ overview: FileOverview,
        by source: (any SecretSource)?,
        _ options: OpenOptions = OpenOptions(),
        isByHand: Bool = false,
        now: Int64
    ) throws(OpeningError) -> OpenedFile {
        let isNamed = source?.isNamed ?? false
        let companion = locator.companion(overview, isNeeded: !isNamed || isByHand, now: now)
        var options = options
        options.furtherAnchor = companion?.anchor
        if !isByHand, !(source?.isAlone ?? false) {
            if let companion, let opened = try open(overview, by: companion, options) {
                return try finish(opened.store, opened.secret, companion, overview)
            }
            if let hardware, let opened = try open(overview, by: hardware, options) {
                return try finish(opened.store, opened.secret, companion, overview)
            }
        }
        guard let source else { throw .store(.locked) }
        if source.isAsked { overview.letGo() }
        let (store, secret) = try trying(source) { secret throws(StoreError) in
            try open(with: secret, options, after: overview)
        }
        let file = try finish(store, secret, companion, overview)
        if source.isAsked { PassphraseUse.note(secret, of: store.vaultID, at: locator, now: now) }
        return file
    }

    /// Gives secrets to `body` until one fits: up to three from a person, or a single named secret.
    ///
    /// Nothing is held open while a person is asked.
    package func trying<R>(
        _ source: any SecretSource,
        _ body: (Unlock) throws(StoreError) -> R
    ) throws(OpeningError) -> (R, Unlock) {
        var attempt = 1
        while true {
            do throws(OpeningError) {
                let secret = try source.unlock(attempt: attempt)
                do throws(StoreError) { return (try body(secret), secret) } catch { throw .store(error) }
            } catch {
                guard case .store(let slip) = error, slip.isSlip, !source.isNamed, attempt < Self.tries else {
                    throw error
                }
                source.tell(slip: slip)
            }
            attempt += 1
        }
    }

    /// Opens the file with a secret; deriving the key of a passphrase needs time and memory.
    package func open(
        with secret: Unlock,
        _ options: OpenOptions = OpenOptions(),
        after overview: FileOverview? = nil
    ) throws(StoreError) -> FileStore {
        try derivingKey(secret) { () throws(StoreError) in
            try FileStore.open(
                at: locator.place.paths,
                unlock: secret,
                options: options,
                after: overview,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        }
    }

    /// Shows that a key is being derived, if that lasts long: a recovery code needs no stretching.
    package func derivingKey<R>(
        _ secret: Unlock,
        _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard secret.kind == .passphrase else { return try body() }
        return try progress.during(.derivingKey, body)
    }

    /// Opens the recorded vault in the keyring; nothing else is tried when that does not work.
    ///
    /// - Throws: the keyring's own errors; `misplaced` when the vault is not in it.
    private func openKeyring(
        _ record: VaultRecord,
        _ patience: Patience,
        _ options: OpenOptions
    ) throws(OpeningError) -> SecretServiceStore {
        do throws(StoreError) {
            return try SecretServiceStore.open(
                vaultID: record.id,
                options: options,
                paths: locator.keyringPaths,
                service: try locator.connect(patience),
                natives: .credentials,
                entropy: .system,
                now: SystemTime.milliseconds
            )
        } catch .notFound {
            throw .misplaced(.noHeader(label: record.label))
        } catch {
            throw .store(error)
        }
    }

    /// Opens the file by a slot whose secret is stored in the keyring; nil if no secret fits, since nobody named
    /// that source.
    private func open(
        _ overview: FileOverview,
        by companion: KeyringCompanion,
        _ options: OpenOptions
    ) throws(OpeningError) -> (store: FileStore, secret: Unlock)? {
        try asOpeningError {
            try companion.open { secret throws(StoreError) in
                try open(with: secret, options, after: overview)
            }
        }
    }

    /// Opens the file by a slot of the TPM without a PIN; nil if the TPM refuses, since nobody named it.
    private func open(
        _ overview: FileOverview,
        by hardware: HardwareClient,
        _ options: OpenOptions
    ) throws(OpeningError) -> (store: FileStore, secret: Unlock)? {
        let tpm = TPMSlot(of: overview.vaultID, hardware)
        for slot in TPMSlot.all(of: overview) where !slot.needsPIN {
            let secret: Unlock
            do throws(OpeningError) { secret = try tpm.unlock(slot, pin: nil) } catch {
                let isOfSlot = [.otherTPM, .authDiffers, .stateDiffers].contains {
                    error == .hardware(.tpm($0))
                }
                guard isOfSlot else { return nil }
                continue
            }
            do throws(StoreError) {
                return (try open(with: secret, options, after: overview), secret)
            } catch {
                guard error == .wrongSecret else { throw .store(error) }
            }
        }
        return nil
    }

    private func finish(
        _ store: FileStore,
        _ secret: Unlock,
        _ companion: KeyringCompanion?,
        _ found: FileOverview
    ) throws(OpeningError) -> OpenedFile {
        try locator.checkOpened(store, found)
        companion?.opened = store
        return OpenedFile(store: store, secret: secret, companion: companion)
    }
}
