internal import AgentProtocol
package import FileStore
package import Presentation
package import RecordStore
internal import Text
internal import VaultCrypto
package import VaultLifecycle

extension Context {
    /// Gets the secret and opens the file, which must then still be the recorded one; the secret comes along
    /// for acts that need the vault key once more.
    ///
    /// `asks` is false to leave the person in peace. Throws `locked` where only a person could give the
    /// secret and is not asked, and what else keeps the file from being opened.
    package func unlock(
        _ place: VaultPlace,
        _ overview: FileOverview,
        asks: Bool = true
    ) throws -> (store: FileStore, secret: Unlock) {
        let file = try unlockFile(place, overview, asks: asks)
        return (file.store, file.secret)
    }

    /// The same with what the keyring keeps; with `isByHand` its slots are passed over, as the owner's own secret is
    /// needed.
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

    /// Opens the vault at a place, showing what takes long.
    package func unlocker(_ place: VaultPlace) -> VaultUnlocker {
        VaultUnlocker(locator(place), showing: self, hardware: hardware)
    }

    /// Where the secret of the vault comes from; nil without a user to ask.
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

    /// Asks the TPM and security keys.
    package var hardware: HardwareClient { HardwareClient() }

    /// The failure of opening; without a user to ask, it may need one more sentence.
    func unlocking<R>(_ body: () throws -> R) throws -> R {
        // Closing the file takes an empty log away, so it is looked for before.
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

    /// Whether there is a vault file without a log beside it.
    private var mayLackLog: Bool {
        guard let place = try? place() else { return false }
        return Path.isFile(place.file) && Path.size(place.file + "-wal") ?? 0 == 0
    }

    private var isFile: Bool {
        (try? config(place()).record(of: place().key))?.backend != .secretService
    }

    /// What it means that shares, which fit together, open no slot; nil for another failure.
    package func sharesOpenNothing(_ error: StoreError) -> Failure? {
        guard globals.asksShares, error == .wrongSecret || error == .noSuchSlot else { return nil }
        return Failure(
            .wrongSecret,
            "the shares fit together, but open no slot of this vault: they belong to another vault, or were ended",
            hint: "hsip vault restore BACKUP --shares  with a backup of that time"
        )
    }

    /// What is left to be done when a command has ended, well or badly.
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

    /// The agent has the vault open, and this command works without it: on the file itself.
    private var isOpenInAgent: Bool {
        !globals.avoidsAgent && (try? connectToAgent())?.agent.isLocked == false
    }

    /// Why the passphrase is asked for although the agent has the vault open.
    private static let keptByAgent =
        "this command opens the vault file itself, even while the agent is unlocked"

    /// There is no user to ask; where the agent has the vault open, the failure needs one more sentence.
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

/// A typed secret of one kind alone: `--with passphrase`, `--with recovery`.
struct KindSecret: SecretSource {
    /// Gives the secret; nil without a way to ask, which does not let another key slot open the vault.
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
