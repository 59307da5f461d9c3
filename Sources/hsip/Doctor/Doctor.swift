internal import AgentProtocol
internal import ArgumentParser
internal import CommandKit
internal import Console
internal import FileStore
internal import Presentation
internal import Programs
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
internal import SSHCommands
internal import SystemSetup
internal import VaultDoctor
internal import VaultKit
internal import VaultLifecycle

/// What is wrong, why it matters, and the one command that helps.
struct Doctor: Command {
    static let path = "doctor"
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Explain what is wrong and how to fix it; change nothing without asking.",
        discussion: """
            Ends with 0, or with the code of the worst problem.

              hsip doctor
              hsip doctor --fix
            """
    )

    @Flag(help: "Fix what can be fixed, asking before each; also a clock mark that is ahead.")
    var fix = false
    @Flag(help: "Remove other users' access to the vault's files.")
    var fixPermissions = false

    func run(_ context: Context) async throws {
        let place = try context.place()
        let machine = MachineChecks(
            environment: context.environment,
            console: context.console
        )
        var findings = machine.findings()
        let record = try? context.settledRecord(place)
        let files = FileChecks(place: place, isFile: record?.backend != .secretService)
        findings += try await treat(files.findings(), context)
        let about = context.checks(place, record)
        var outside = try await treat([RecordCheck(about).finding()], context)
        let keyring = KeyringChecks(about).findings()
        findings += try await treat(keyring, context)
        findings += try await treat(MoveChecks(about).findings(), context)
        if let setup = try? SetupKeyring.setup(place, context) {
            findings += try await treat(ProviderChecks(about, setup).findings(), context)
        }
        // Where the keyring has the vault, it is not said that there is none.
        if record == nil, keyring.contains(where: { $0.code == ErrorName.unavailable.rawValue }) {
            outside.removeAll { $0.state == .notice }
        }
        // A mode that was named above is not named twice.
        let isNamed = findings.contains { $0.check == .permissions && $0.state == .problem && !$0.isFixed }
        findings += outside.filter { !(isNamed && $0.check == .permissions) }
        if outside.allSatisfy({ $0.state == .ok || $0.isFixed }) {
            findings += try await inside(about, place, context)
        }
        if !context.globals.avoidsAgent, let paths = try? context.agentPaths() {
            findings += await AgentChecks(
                paths,
                version: ProductVersion.text,
                context.environment,
                context.output.display,
                connect: { try context.connectToAgent() }
            ).findings()
        }
        try show(findings.sorted { $0.state.rawValue < $1.state.rawValue }, context)
    }

    /// The checks that need the vault open; where it cannot be opened, a finding says so.
    private func inside(_ about: CheckContext, _ place: VaultPlace, _ context: Context) async throws
        -> [Finding]
    {
        guard let found = try? context.find(place) else { return [] }
        if let agent = try? await context.agentForWork(), let status = try? await agent.status(),
            !status.isLocked
        {
            return try await throughAgent(context) + VaultChecks.backups(about)
        }
        let store: OpenedStore
        do {
            store = try open(found, place, context)
        } catch ConsoleError.refused {
            return [locked]
        } catch StoreError.locked {
            return [locked]
        } catch let failure as Failure
            where failure.code == ErrorName.unavailable.rawValue && found.backend == .secretService
        {
            guard case .keyring(let record) = found else { return [.problem(.keyring, failure)] }
            let gone = GoneCheck(record, about).finding(failure)
            return try await treat([gone], context)
        } catch let failure as Failure where failure.code == ErrorName.rollback.rawValue {
            return [.older(failure)]
        } catch let error as StoreError where error != .wrongSecret && error != .mistyped {
            // That a keyring does not answer, or is locked, was said when it was looked at.
            let finding = Finding.problem(error)
            return finding.check == .backend ? [] : [finding]
        }
        let vault = Vault(store: store.store, auditFolder: place.auditFolder).ownService
        let checks = VaultChecks(
            about,
            store: store,
            vault: vault,
            companion: context.companion,
            audit: await audit(vault)
        )
        // What cannot be read of the hosts is found by the checks of the vault.
        let wiring = (try? await ssh(vault, context).findings()) ?? []
        let rules = await RuleChecks.findings(vault, now: context.now)
        return try await treat(try await checks.findings() + wiring + rules, context)
    }

    /// What can be asked of a vault that the agent has open; its file and slots are looked at without the agent.
    private func throughAgent(_ context: Context) async throws -> [Finding] {
        let vault = try await context.openVault()
        let aside = Finding(
            check: .vaultFile,
            state: .notice,
            message: "the agent has the vault open; records and key slots were not checked",
            hint: "hsip doctor --no-agent"
        )
        var found = [aside]
        do {
            found += try await VaultChecks.people(vault, now: context.now)
        } catch VaultError.noIdentity {
        } catch VaultError.store(let error) {
            // The other checks go on.
            found.append(.problem(error))
        }
        if let secrets = try? await SecretChecks.finding(vault, now: context.now) { found.append(secrets) }
        if let audit = await audit(vault) { found.append(audit) }
        found += (try? await ssh(vault, context).findings()) ?? []
        found += await RuleChecks.findings(vault, now: context.now)
        return try await treat(found, context)
    }

    /// What a check of the audit log finds; nil where it cannot be asked for.
    private func audit(_ vault: any VaultService) async -> Finding? {
        do {
            return AuditCheck.finding(try await AuditTexts.problem(of: vault))
        } catch {
            return nil
        }
    }

    private func ssh(_ vault: any VaultService, _ context: Context) throws -> SSHChecks {
        let setup = try SSHSetup(try context.sshPlaces(), vault: try context.place())
        return SSHChecks(vault, context.environment, context.output.display, setup) {
            let made = try await FragmentMaker(context, vault).make()
            return (made.fragment, made.hosts)
        }
    }

    /// A locked keyring stays locked: a check is no reason to show a prompt at the desktop.
    private func open(_ found: FoundVault, _ place: VaultPlace, _ context: Context) throws -> OpenedStore {
        try context.open(found, at: place, waiting: .script)
    }

    /// Sets right what can be and is wanted.
    private func treat(_ findings: [Finding], _ context: Context) async throws -> [Finding] {
        var treated: [Finding] = []
        for var finding in findings {
            if let remedy = finding.fix, try wants(finding, remedy, context) {
                try await remedy.act()
                finding.isFixed = true
            }
            treated.append(finding)
        }
        return treated
    }

    private func wants(_ finding: Finding, _ remedy: Finding.Fix, _ context: Context) throws -> Bool {
        if fixPermissions, finding.check == .permissions { return true }
        guard fix else { return false }
        context.output.say("\(finding.message)")
        guard remedy.needsPerson else { return try context.agrees(remedy.question) }
        guard context.terminal.isAvailable else {
            // A notice can wait for a person; what is wrong must not pass for mended.
            if finding.state == .notice { return false }
            throw Failure(
                .inputNeeded,
                "this is asked at a terminal only, and --yes is no answer",
                hint: "hsip doctor --fix  at a terminal"
            )
        }
        return try context.terminal.confirm(remedy.question)
    }

    private var locked: Finding {
        Finding(
            check: .vaultFile,
            state: .notice,
            message: "the vault is locked; what is inside was not checked",
            hint: "hsip doctor --passphrase-file FILE"
        )
    }
}

extension Context {
    /// What the checks know of a vault.
    fileprivate func checks(_ place: VaultPlace, _ record: VaultRecord?) -> CheckContext {
        CheckContext(
            place: place,
            record: record,
            environment: environment,
            display: output.display,
            now: now,
            patience: patience,
            shown: { $0.text(self) }
        )
    }
}
