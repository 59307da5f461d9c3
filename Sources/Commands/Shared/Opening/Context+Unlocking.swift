internal import AgentProtocol
package import FileStore
package import Presentation
package import RecordStore
internal import Text
internal import VaultCrypto
package import VaultLifecycle

extension Context {
    /// Gets the secret and opens the vault file, which must still be the recorded one.
    ///
    /// The secret is returned for operations that need the vault key again. With `asks` false, the person is not
    /// asked. Throws `locked` if only a person could give the secret, and the other errors of opening.
    package func unlock(
        _ place: VaultPlace,
        _ overview: FileOverview,
        asks: Bool = true
    ) throws -> (store: FileStore, secret: Unlock) {
        let file = try unlockFile(place, overview, asks: asks)
        return (file.store, file.secret)
    }

    /// Opens the vault file as `unlock` does, and returns the keyring's part too.
    ///
    /// With `isByHand`, the keyring's slots are skipped, because the owner's own secret is needed.
    package func unlockFile(
        _ place: VaultPlace,
        _ overview: FileOverview,
        asks: Bool = true,
        isByHand: Bool = false
    ) throws -> OpenedFile {
        let file = try unlocking {
            let source = try secretSource(of: place, isByHand: isByHand)
            return try unlocker(place).openFile(
                overview,
                by: asks || source?.isNamed == true ? source : nil,
                isByHand: isByHand,
                now: now
            )
        }
        tell(file.store.noted)
        companion = file.companion
        return file
    }

    /// Makes the unlocker of a vault, which shows slow steps.
    package func unlocker(_ place: VaultPlace) -> VaultUnlocker {
        VaultUnlocker(locator(place), showing: self, hardware: hardware)
    }

    /// The source of the vault's secret; nil without a user to ask.
    ///
    /// `asking` replaces the usual question. With it, and with `isByHand`, no device is offered.
    package func secretSource(
        of place: VaultPlace,
        asking question: String? = nil,
        isByHand: Bool = false
    ) throws -> (any SecretSource)? {
        let way = try unlockWay()
        let offersDevices = way == nil && question == nil && !isByHand
        let source: (any SecretSource)? =
            switch try unlockSource() {
            case .named(let secret)?: secret
            case .shares?: SharesSecret(self)
            case .device(let kind, let number)?: DeviceSecret(self, place, kind, slot: number)
            case .terminal?:
                TerminalSecret(context: self, offering: offersDevices ? place : nil) {
                    question ?? self.question(of: place)
                }
            case nil: nil
            }
        return switch way {
        case .passphrase?: KindSecret(source: source, kind: .passphrase)
        case .recovery?: KindSecret(source: source, kind: .recovery)
        default: source
        }
    }

    /// The client for the TPM and security keys.
    package var hardware: HardwareClient { HardwareClient() }

    /// Runs `body`, and explains its failure to open the vault.
    func unlocking<R>(_ body: () throws -> R) throws -> R {
        // Closing the file removes an empty log, so look for it before.
        let mayLackLog = mayLackLog
        do {
            return try explaining(body)
        } catch StoreError.locked {
            throw lockedForThis
        } catch let error as StoreError {
            if let failure = sharesOpenNothing(error) { throw failure }
            guard mayLackLog, isFile,
                let failure = MissingLog.explanation(error, of: output.display.cell(try place().file))
            else { throw error }
            throw failure
        }
    }

    /// Whether the vault file exists without a log beside it.
    private var mayLackLog: Bool {
        guard let place = try? place() else { return false }
        return Path.isFile(place.file) && Path.size(place.file + "-wal") ?? 0 == 0
    }

    private var isFile: Bool {
        (try? config(place()).record(of: place().key))?.backend != .secretService
    }

    /// The failure if the shares fit together but open no slot; nil for another error.
    package func sharesOpenNothing(_ error: StoreError) -> Failure? {
        guard globals.asksShares, error == .wrongSecret || error == .noSuchSlot else { return nil }
        return Failure(
            .wrongSecret,
            "the shares fit together, but open no slot of this vault: they belong to another vault, or were ended",
            hint: "hsip vault restore BACKUP --shares  with a backup of that time"
        )
    }

    /// Records the keyring's part of the vault, when a command has succeeded or failed.
    package func finish() {
        guard let companion, let place = try? place(), let store = companion.opened else { return }
        companion.remember(KeyringMemory(place, store.vaultID), name: place.key, now: now)
    }

    private func question(of place: VaultPlace) -> String {
        let name = place.key == "vault" ? "" : " of \(output.display.cell(place.key))"
        let asked = "Passphrase or recovery code\(name)"
        if let purpose { return "\(asked)\(name.isEmpty ? " of the vault" : ""), \(purpose)" }
        return isOpenInAgent ? "\(asked) (\(Self.keptByAgent))" : asked
    }

    /// Whether the agent has the vault open while this command opens the file itself.
    private var isOpenInAgent: Bool {
        !globals.avoidsAgent && (try? connectToAgent())?.agent.isLocked == false
    }

    /// Why hsip asks for the passphrase even if the agent has the vault open.
    private static let keptByAgent =
        "this command opens the vault file itself, even while the agent is unlocked"

    /// The failure without a user to ask; it explains more if the agent has the vault open.
    private var lockedForThis: any Error {
        guard isOpenInAgent else { return StoreError.locked }
        return Failure(
            .locked,
            "this command opens the vault file itself and needs the passphrase or the recovery code, even while "
                + "the agent is unlocked",
            hint: "--passphrase-file FILE"
        )
    }
}

/// A secret that must be of one kind: `--with passphrase`, `--with recovery`.
struct KindSecret: SecretSource {
    /// The source of the secret; nil if the person cannot be asked, and even then no other key slot is used.
    let source: (any SecretSource)?
    let kind: SlotKind

    var isNamed: Bool { source?.isNamed ?? true }
    var isAsked: Bool { source?.isAsked ?? false }
    var isAlone: Bool { true }
    var option: String? { source?.option ?? "--with" }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        guard let source else { throw .store(.locked) }
        return try source.secret(attempt: attempt)
    }

    func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        guard let source else { throw .store(.locked) }
        let unlock = try source.unlock(attempt: attempt)
        guard unlock.kind == kind else { throw .store(kind == .recovery ? .mistyped : .wrongSecret) }
        return unlock
    }

    func tell(slip: StoreError) { source?.tell(slip: slip) }
}
