internal import AgentProtocol
internal import Commands
internal import RecordStore
internal import VaultKit
internal import VaultLifecycle

extension BackupCommand {
    /// The vault as the agent has it open; nil where it does not, and where a secret was named for this command.
    ///
    /// Nobody is asked for a secret, and a locked agent stays locked.
    func vaultOfAgent(_ context: Context) async throws -> (any VaultService)? {
        guard !context.globals.avoidsAgent else { return nil }
        switch try context.unlockSource() {
        case .named?, .shares?, .device?: return nil
        case .terminal?, nil: break
        }
        // Greeted as by a program whose person cannot be asked: an agent that is locked just then asks nobody, either.
        let asksNothing = context.globals.asksNothing
        context.globals.asksNothing = true
        defer { context.globals.asksNothing = asksNothing }
        guard let agent = try? context.connectToAgent(), try await !agent.status().isLocked else {
            return nil
        }
        return try await context.openVault()
    }

    /// What a copy is, read by the agent with the keys of the open vault.
    ///
    /// - Throws: what the store answers, as itself.
    static func read(_ path: String, by vault: any VaultService) async throws -> CopyReport {
        do {
            return try await vault.checkCopy(path)
        } catch VaultError.store(let error) {
            throw error
        }
    }

    /// Whether the agent could not do it, whatever the copy is: it went away, is older, or has other keys by now.
    static func isOfAgent(_ error: any Error) -> Bool {
        switch error {
        case is AgentError, VaultError.unknownOperation, StoreError.locked, StoreError.rekeyed,
            StoreError.wrongSecret:
            true
        default: false
        }
    }

    /// A backup that the agent read; nil for one that its keys do not open: its own slots may.
    static func readBackup(
        _ path: String,
        by vault: any VaultService,
        _ vaultID: [UInt8]
    ) async throws -> Result<ReadBackup, StoreError>? {
        do {
            let report = try await read(path, by: vault)
            if let damaged = report.damaged.first { return .failure(.tampered(damaged.tampered)) }
            return .success(ReadBackup(report, of: vaultID))
        } catch StoreError.wrongSecret {
            return nil
        } catch let error as StoreError {
            return .failure(error)
        }
    }
}
