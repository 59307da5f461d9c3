internal import AgentKit
internal import AgentProtocol
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// Opens the agent's vault by the same rules as every program here.
struct AgentVaultOpener: VaultOpener {
    let locator: VaultLocator

    var vaultName: String { locator.place.key }
    var vaultPath: String { locator.place.file }

    func openUnattended() throws(AgentError) -> OpenVault? {
        do throws(OpeningError) {
            return try unlocker.openUnattended(now: SystemTime.seconds).map(Self.vault)
        } catch {
            throw Self.explain(error)
        }
    }

    func openByKeeper(mayAsk: Bool) throws(AgentError) -> OpenVault? {
        do throws(OpeningError) {
            return try unlocker.openByKeeper(mayAsk: mayAsk, now: SystemTime.seconds).map(Self.vault)
        } catch {
            throw Self.explain(error)
        }
    }

    func open(with secret: Secret) throws(AgentError) -> OpenVault {
        do throws(OpeningError) {
            return Self.vault(try unlocker.open(typed: secret, now: SystemTime.seconds))
        } catch {
            throw Self.explain(error)
        }
    }

    func offer() throws(AgentError) -> SlotOffer? {
        do throws(OpeningError) {
            return try unlocker.offer().map {
                SlotOffer(
                    slot: $0.slot.number,
                    pin: $0.needsPIN ? PINQuestion.title($0, hasOtherWay: true) : nil,
                    touch: $0.key == nil ? nil : PINQuestion.touch($0, hasOtherWay: true)
                )
            }
        } catch {
            throw Self.explain(error)
        }
    }

    func open(_ slot: SlotPIN, pin: Secret?, _ cancellation: Cancellation?) throws(AgentError) -> OpenVault {
        do throws(OpeningError) {
            let stop = cancellation?.descriptor
            let now = SystemTime.seconds
            return Self.vault(
                try unlocker.open(
                    slot: slot.slot,
                    pin: pin,
                    takesLastTry: slot.takesLastTry,
                    until: stop,
                    now: now
                )
            )
        } catch {
            throw Self.explain(error)
        }
    }

    private var unlocker: VaultUnlocker { VaultUnlocker(locator, hardware: HardwareClient()) }

    private static func vault(_ opened: OpenedVault) -> OpenVault {
        let store = opened.store
        return OpenVault(
            store: store.store,
            backend: store.backend.rawValue,
            file: store.backend == .file ? opened.locator.place.file : nil,
            auditFolder: opened.locator.place.auditFolder,
            rootReturns: { if case .keyring(let keyring) = store { keyring.rootReturns } else { 0 } }
        ) {
            opened.lock()
            remember(opened)
        }
    }

    /// Lets the keyring remember the newest commit, as every command does at its end.
    ///
    /// It may answer late, so nothing waits for it, and the keys are wiped before.
    private static func remember(_ opened: OpenedVault) {
        try? OwnThread.start("hsip-keyring") { opened.remember(now: SystemTime.seconds) }
    }

    /// The vault's own error, or a refusal in the words of every program.
    static func explain(_ error: OpeningError) -> AgentError {
        if case .store(let error) = error { return .vault(.store(error)) }
        return .refused(Refusal(error.explanation))
    }
}
