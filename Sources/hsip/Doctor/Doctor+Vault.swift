internal import AgentProtocol
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Setup
internal import System
internal import VaultKit
internal import VaultLifecycle

/// Checks inside an open vault, in this process or in the agent.
extension Doctor {
    /// Runs the checks that need an open vault; if it cannot be opened, a finding says so.
    func inside(_ about: CheckContext, _ place: VaultPlace, _ context: Context) async throws
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
            where failure.name == ErrorName.unavailable.rawValue && found.backend == .secretService
        {
            guard case .keyring(let record) = found else { return [.problem(.keyring, failure)] }
            let gone = GoneCheck(record, about).finding(failure)
            return try await treat([gone], context)
        } catch let failure as Failure where failure.name == ErrorName.rollback.rawValue {
            return [.older(failure)]
        } catch let error as StoreError where error != .wrongSecret && error != .mistyped {
            // An unreachable or locked keyring was already reported.
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
        let wiring = (try? await ssh(vault, context).findings()) ?? []
        let rules = await RuleChecks.findings(vault, now: context.now) + LogChecks.findings(vault)
        return try await treat(try await checks.findings() + wiring + rules, context)
    }

    /// Runs the checks that are possible through the agent; its file and slots are checked without the agent.
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
            // The other checks continue.
            found.append(.problem(error))
        }
        if let secrets = try? await SecretChecks.finding(vault, now: context.now) { found.append(secrets) }
        if let audit = await audit(vault) { found.append(audit) }
        found += (try? await ssh(vault, context).findings()) ?? []
        found += await RuleChecks.findings(vault, now: context.now) + LogChecks.findings(vault)
        return try await treat(found, context)
    }

    /// Returns the finding of a check of the audit log; nil if the log cannot be read.
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

    /// Opens the vault, but never unlocks a keyring: a check must not cause a prompt on the desktop.
    private func open(_ found: FoundVault, _ place: VaultPlace, _ context: Context) throws -> OpenedStore {
        try context.open(found, at: place, waiting: .script)
    }

    private var locked: Finding {
        Finding(
            check: .vaultFile,
            state: .notice,
            message: "the vault is locked, so its contents were not checked",
            hint: "hsip doctor --passphrase-file FILE"
        )
    }
}
