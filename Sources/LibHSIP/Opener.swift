internal import AgentProtocol
internal import Dispatch
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// Opens a vault for the host program, by the rules of all programs.
struct Opener: Sendable {
    let options: HostOptions
    let asker: Asker

    /// Opens the vault on a thread of the library, which may wait.
    static func open(_ options: HostOptions) throws -> Handle {
        let asker = Asker()
        let opener = Opener(options: options, asker: asker)
        let call = BlockingCall<OpenedService>()
        asker.serve(call.ask)
        DispatchQueue(label: "io.hsip.library").async {
            let result = Result { try opener.openNaming() }
            asker.serve(nil)
            // The caller no longer waits, so the vault is closed again.
            if !call.finish(result), case .success(let opened) = result { opened.end() }
        }
        return Handle(options, try call.wait(options.patience) { options.ask?.answer($0) ?? .nobody }, asker)
    }

    /// Opens the vault; if it does not exist, the error has its name or path.
    private func openNaming() throws -> OpenedService {
        do {
            return try open()
        } catch OpeningError.store(.notFound) {
            throw StoreError.notFound(at: try VaultPlace(options.vault, .process), Display(isUTF8: true))
        }
    }

    private func open() throws -> OpenedService {
        let place = try VaultPlace(options.vault, .process)
        if let agent = try agent(place) {
            try unlock(agent)
            return OpenedService(
                vault: CarriedService(agent),
                publicKeyFolder: place.publicKeyFolder
            ) {}
        }
        let opened = try openHere(VaultLocator(place, .process))
        return OpenedService(vault: opened.vault.service, publicKeyFolder: place.publicKeyFolder) {
            opened.remember(now: SystemTime.seconds)
            opened.lock()
        }
    }

    /// A connection to the agent; nil if none listens.
    private func agent(_ place: VaultPlace) throws -> AgentClient? {
        let environment = Environment.process
        let path = try AgentPaths(
            vault: place.key,
            environment: environment.variables(["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME"])
        ).control
        guard Path.exists(path) else { return nil }
        let hello = Hello(
            program: options.program.map { "\($0) (libhsip)" } ?? "libhsip",
            vault: place.file,
            asks: options.ask == nil ? .nobody : .terminal,
            environment: environment.variables(Hello.variables)
        )
        do {
            return try AgentClient(path, hello: hello, asking: asker)
        } catch {
            guard error == .noAgent else { throw error }
            return nil
        }
    }

    private func unlock(_ agent: AgentClient) throws {
        guard case .status(let status) = try agent.wait(for: .status).reply else {
            throw AgentError.lost(.unexpected)
        }
        guard status.isLocked else { return }
        if let secret = try namedSecret() {
            _ = try agent.wait(for: .unlock(source: .given), secrets: [secret])
        } else {
            _ = try agent.wait(for: .unlock(source: .ask))
        }
    }

    /// Opens the vault in this process, with the first source that applies.
    private func openHere(_ locator: VaultLocator) throws -> OpenedVault {
        let environment = Environment.process
        let isAtDesktop =
            environment["SSH_CONNECTION"] == nil
            && (environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil)
        let named = NamedSecret.inherited(environment)
        let source: any SecretSource =
            named ?? HostSecret(place: locator.place, program: options.program, asker: asker)
        return try VaultUnlocker(locator)
            .open(by: source, isAtDesktop ? .person : .script, now: SystemTime.seconds)
    }

    private func namedSecret() throws -> Secret? {
        guard let path = Environment.process["HSIP_PASSPHRASE_FILE"] else { return nil }
        return Secret(try NamedSecret(.file(path)).secret())
    }
}

extension Environment {
    /// The values of some variables, as far as they are set.
    fileprivate func variables(_ names: [String]) -> [String: String] {
        var variables: [String: String] = [:]
        for name in names { variables[name] = self[name] }
        return variables
    }
}

/// A secret for which the host program asks its person.
private struct HostSecret: SecretSource {
    let place: VaultPlace
    /// The name of the host program.
    let program: String?
    let asker: Asker

    var isNamed: Bool { false }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        let name = place.name == "vault" ? "" : " of \(place.key)"
        let question = Question(
            .passphrase,
            title: "Passphrase or recovery code\(name)",
            lines: program.map { ["\($0) wants to open the vault."] } ?? [],
            attempt: attempt
        )
        switch asker.answer(question) {
        case .passphrase(let secret): return try GivenSecret(secret).secret(attempt: attempt)
        case .no, .yes, .passphraseInstead: throw .file(.refused)
        case .nobody: throw .store(.locked)
        case .late: throw .store(.busy)
        }
    }
}
