internal import AgentKit
internal import AgentProtocol
internal import FileStore
internal import Programs
internal import RecordStore
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

    private var unlocker: VaultUnlocker { VaultUnlocker(locator) }

    private static func vault(_ opened: OpenedVault) -> OpenVault {
        let backend = opened.store.backend
        return OpenVault(
            store: opened.store.store,
            backend: backend.rawValue,
            file: backend == .file ? opened.locator.place.file : nil,
            auditFolder: opened.locator.place.auditFolder
        ) {
            opened.lock()
            remember(opened)
        }
    }

    /// Lets the keyring remember the newest commit, as every command does at its end.
    ///
    /// It may answer late, so nobody waits for it, and the keys are wiped before.
    private static func remember(_ opened: OpenedVault) {
        try? OwnThread.start("hsip-keyring") { opened.remember(now: SystemTime.seconds) }
    }

    /// The agent says what happened; the way out is the doctor's business, who can look for himself.
    static func explain(_ error: OpeningError) -> AgentError {
        if case .store(let error) = error { return .vault(.store(error)) }
        return .refused(Refusal(error.exitCode, error.name, text(of: error), hint: "hsip doctor"))
    }

    private static func text(of error: OpeningError) -> String {
        switch error {
        case .misplaced(let how): text(of: how)
        case .noHome: "HOME is not set to an absolute path"
        case .badName: "the vault's name is empty or begins with a dot"
        case .noCurrentFolder: "the folder that the agent was started in is gone"
        case .unreadableConfig, .unwritableConfig, .noConfigFolder: "config.json cannot be read or written"
        case .file, .store: "a file beside the vault cannot be read or written"
        case .closedDescriptor, .secretFile, .needlessSecret:
            "the credential with the passphrase cannot be read"
        }
    }

    private static func text(of how: Misplacement) -> String {
        switch how {
        case .unrecorded, .unrecordedInKeyring: "there is a vault that was not recorded here"
        case .unknownBackend: "the vault is kept in a way this program does not know"
        case .moved: "the vault was recorded at another path"
        case .missing: "the vault was made here, and its file is gone"
        case .exchanged: "the file is another vault than the one recorded"
        case .noHeader: "the vault was made in the keyring, and is not there any more"
        case .notForKeyring: "this vault lies in the keyring: it has no file and no key slots"
        }
    }
}
