internal import ArgumentParser
internal import LogCarriers
internal import Presentation
internal import SharedLog
internal import System
internal import Text
internal import VaultKit

/// `hsip setup sync --undo`.
struct SetupSyncUndo: Command {
    static let path = "setup sync"
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Stop sharing this vault on this machine.",
        discussion: """
            hsip sends the last changes, tells the other machines, and forgets the shared log. The secrets \
            stay here and on the other machines.

              hsip setup sync --undo
            """,
        shouldDisplay: false
    )

    @Flag(help: "Stop sharing; needed.")
    var undo = false

    @Flag(help: "Stop even if hsip cannot tell the other machines.")
    var forget = false

    func run(_ context: Context) async throws {
        guard undo else {
            throw Failure.usage(
                "choose git, etcd, folder or join, or --undo to stop sharing",
                hint: "hsip help setup sync"
            )
        }
        try await LogLeaving(context: context, forgets: forget).run()
    }
}

/// Leaves the shared log, and removes its traces from the vault and this machine.
struct LogLeaving {
    /// The number of attempts, because other machines may write at the same time.
    private static let rounds = 10

    let context: Context
    /// True to forget the log even if the other machines cannot be reached.
    var forgets = false

    func run() async throws {
        let vault = try await context.openVault()
        guard let state = try await vault(Operations.logState) else {
            context.output.note("this vault is not shared; nothing changes")
            return try finish(nil)
        }
        let question = "Stop sharing this vault? Its secrets stay on this machine and on the others."
        guard try context.agrees(question) else { throw ConsoleError.refused }
        let isTold = try await tell(state, vault)
        try await forget(state, vault)
        context.output.say("This vault is not shared any more. Its secrets stay here.")
        if !isTold { context.output.hint("\(removal(of: state))  on another machine") }
        try finish(state)
    }

    private func removal(of state: LogSummary) -> String {
        "hsip machine revoke \(ShellWord.quoted(state.name))"
    }

    /// Sends the changes of this machine, and an entry that it leaves.
    ///
    /// - Returns: False if the other machines still list this machine.
    private func tell(_ state: LogSummary, _ vault: any VaultService) async throws -> Bool {
        switch state.stage {
        case .asked, .removed: return true
        case .admitted: return false
        case .member: break
        }
        // A restored vault may not know machines that joined after its backup; a sync shows them.
        guard state.isListedByOthers || state.isRestored else { return true }
        // A reader cannot write an entry.
        guard state.ownRole != "reader" else { return false }
        var isWritten = false
        do {
            let login = try await LogAccess.login(at: state.address, of: vault)
            try await leave(vault, login, &isWritten)
            return true
        } catch {
            var failure = Failure(error)
            // Another machine removed this one, or another command forgot the log.
            if [ErrorName.machineRevoked, .noLog].contains(where: { $0.rawValue == failure.name }) {
                return true
            }
            guard !failure.isCancellation, failure.exitCode < 128, failure.name != ErrorName.busy.rawValue
            else { throw failure }
            if forgets { return false }
            guard failure.name != ErrorName.lastKeeper.rawValue else { throw failure }
            let name = context.output.display.cell(state.name)
            guard context.terminal.isAvailable else {
                failure.message +=
                    isWritten
                    ? "; \(name) leaves with the next sync"
                    : "; the other machines would go on listing \(name)"
                failure.hint = "hsip setup sync --undo --forget"
                throw failure
            }
            let question = context.question(
                "Stop sharing on this machine all the same?",
                after: [
                    "\(failure.message).",
                    "The other machines go on listing \(name) until you run there: \(removal(of: state))",
                ]
            )
            guard try context.terminal.confirm(question, flag: "--forget") else { throw ConsoleError.refused }
            return false
        }
    }

    private func leave(
        _ vault: any VaultService,
        _ login: EtcdCredentials?,
        _ isWritten: inout Bool
    ) async throws {
        for _ in 0..<Self.rounds {
            _ = try await SyncRun.run(context, vault, login)
            guard let state = try await vault(Operations.logState), state.isListedByOthers else { return }
            do {
                let _: Nothing = try await vault(Operations.leaveLog)
                (isWritten, context.hasChanged) = (true, true)
            } catch VaultError.log(let error) where error.reason == .logBusy {
                // A change of this machine must be sent first.
            }
        }
        throw LogError(.logBusy)
    }

    /// Forgets the log in the vault, and removes its files beside the vault; the lock keeps syncs away meanwhile.
    private func forget(_ state: LogSummary, _ vault: any VaultService) async throws {
        var access: LogAccess?
        if let log = state.log, let address = state.address {
            access = try? LogAccess(context, log, at: address)
        }
        let held = try access?.hold()
        defer { withExtendedLifetime(held) {} }
        do {
            let _: Nothing = try await vault(Operations.forgetLog)
            context.hasChanged = true
        } catch VaultError.log(let error) where error.reason == .noLog {
            // Another command has forgotten the log already.
        }
        try access?.forget()
    }

    private func finish(_ state: LogSummary?) throws {
        try context.output.succeed([
            "name": .optional(state?.name), "address": .optional(state?.address?.text), "active": false,
            "changed": .bool(state != nil), "sent": 0,
        ])
    }
}

extension LogSummary {
    fileprivate var ownRole: String? { machines.first(where: \.isThis)?.role }

    /// True if other machines share the log, and this machine has not left it.
    fileprivate var isListedByOthers: Bool {
        ownRole.map { $0 != "left" } == true && machines.contains { !$0.isThis && $0.role != "left" }
    }
}
