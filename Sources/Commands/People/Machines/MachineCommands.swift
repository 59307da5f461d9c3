internal import ArgumentParser
internal import LogCarriers
internal import Presentation
internal import RecordStore
internal import SSHFormats
internal import SharedLog
internal import System
internal import Text
internal import VaultKit

/// `hsip machine [list]`.
struct MachineList: Command {
    static let path = "machine list"
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the machines that share this vault.",
        discussion: """
              hsip machine
            """
    )

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        guard let state = try await vault(Operations.logState) else { throw LogError(.noLog) }
        var table = Table([
            Column("name", .left, .whole), Column("role"), Column("added"), Column("last change"), Column(""),
        ])
        for machine in state.machines {
            let added = machine.added.map { Int64(clamping: $0) }
            table.add([
                Cell(own: machine.name, context.output.display), Cell(machine.role),
                added.map { Cell(Times.date($0), value: Times.rfc3339($0)) } ?? Cell("", value: ""),
                machine.lastChange.map { Cell(relative: $0, now: context.now) } ?? Cell("never", value: ""),
                Cell(machine.isThis ? "this machine" : machine.role == "reader" ? "reads only" : ""),
            ])
        }
        try context.list(
            table,
            empty: "this machine has not joined yet",
            hint: state.stage == .admitted ? "hsip sync" : "hsip accept"
        )
        if state.stage == .removed {
            context.output.note(
                "this machine was removed, or has left: it sends and receives nothing, and its secrets stay"
            )
            context.output.hint("hsip setup sync join")
        }
        if state.isRestored {
            context.output.note("this vault was restored, and may not know its newest machines")
            context.output.hint("hsip sync")
        }
        try context.output.succeed(["machines": .list(state.machines.map { .machine($0) })])
    }
}

extension JSONValue {
    /// A machine as JSON (Schemas/cli/machine.schema.json).
    static func machine(_ machine: MachineSummary) -> JSONValue {
        [
            "name": .text(machine.name), "role": .text(machine.role), "thisMachine": .bool(machine.isThis),
            "added": .time(machine.added.map { Int64(clamping: $0) }),
            "lastChange": .time(machine.lastChange.map { Int64(clamping: $0) }),
        ]
    }
}

/// `hsip machine revoke`.
struct MachineRevoke: Command {
    static let path = "machine revoke"
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Remove a machine: it reads nothing newer.",
        discussion: """
            hsip makes a new key, which the removed machine does not get. hsip also lists the secrets that \
            the machine could read, so that you can change them.

              hsip machine revoke desktop
            """
    )

    @Argument(help: "The machine.")
    var name: String

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let place = try await vault(Operations.logState)?.address
        let login = try await LogAccess.login(at: place, of: vault)
        let removal = MachineRemoval(context: context, vault: vault, login: login)
        let known = try await removal.machine(name)
        // If the log cannot be reached, the command ends before anything changes. An unsent removal is sent first.
        _ = try await SyncRun.run(context, vault, login)
        let readable = try await Self.readable(vault)
        let shown = context.output.display.cell(name)
        if let machine = try await removal.machine(name) {
            guard !machine.isThis else {
                throw Failure(
                    .notAllowed,
                    "this is the machine that you are using",
                    hint: "hsip setup sync --undo"
                )
            }
            guard try context.agrees("Remove \(shown)? It reads nothing newer then.") else {
                throw ConsoleError.refused
            }
            do {
                try await removal.remove(name)
            } catch var failure as Failure {
                // The next sync may send the removal when no person reads the list.
                failure.lines = ["It could read:"] + readable.map { context.output.display.cell($0) }
                failure.details = ["machine": .text(name), "readable": .list(readable.map { .text($0) })]
                throw failure
            }
        } else if known == nil {
            throw LogError(.unknownMachine)
        }
        var table = Table([Column("name", .left, .whole)])
        for secret in readable { table.add([Cell(own: secret, context.output.display)]) }
        try context.list(table, empty: "no secrets are shared", hint: nil)
        context.output.say(
            readable.isEmpty
                ? "Removed \(shown)."
                : "Removed \(shown). It may have kept what is listed above; change the important ones."
        )
        if place?.isEtcd == true {
            context.output.hint("etcdctl user delete USER  ends the login of \(shown) at etcd")
        }
        try context.output.succeed([
            "machine": .text(name), "readable": .list(readable.map { .text($0) }),
        ])
    }

    /// The names of all secrets and SSH keys that the machines share.
    private static func readable(_ vault: any VaultService) async throws -> [String] {
        let secrets = try await vault.credentials().filter { !$0.isLocal }.map(\.name)
        let keys = try await vault(Operations.sshKeys, .kept).filter { !$0.use.isLocal }
        return keys.map { "SSH key \($0.name)" } + secrets
    }
}

/// Removes a machine from the log, which gets a new key.
struct MachineRemoval {
    /// The number of attempts, because other machines may write at the same time.
    private static let rounds = 10

    let context: Context
    let vault: any VaultService
    let login: EtcdCredentials?

    /// The machine with a name; nil if the log does not have it.
    func machine(_ name: String) async throws -> MachineSummary? {
        try await vault(Operations.logState)?.machines.first { $0.name == NameRules.normalized(name) }
    }

    /// Removes the machine, and repeats that if another machine wrote first.
    ///
    /// - Throws: The errors of the vault; a `Failure` if the removal could not be sent yet.
    func remove(_ name: String) async throws {
        for _ in 0..<Self.rounds {
            do {
                let _: Nothing = try await vault(Operations.revokeMachine, name, 0)
                context.hasChanged = true
            } catch VaultError.log(let error) where error.reason == .logBusy {
                // Changes of this machine must be sent first.
            }
            do {
                _ = try await SyncRun.run(context, vault, login)
            } catch {
                var failure = Failure(error)
                failure.message += "; \(context.output.display.cell(name)) is not removed yet"
                failure.hint = "hsip machine revoke \(ShellWord.quoted(name))"
                throw failure
            }
            guard try await machine(name) != nil else { return }
        }
        throw LogError(.logBusy)
    }
}
