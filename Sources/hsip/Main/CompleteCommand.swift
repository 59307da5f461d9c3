internal import AgentProtocol
internal import ArgumentParser
internal import Console
internal import Glibc
internal import VaultKit
internal import VaultLifecycle

/// `hsip complete KIND`: names for the shell that completes a word; for the scripts of `hsip completion` only.
///
/// Answers only out of a vault that the agent has open, within a second. It asks nobody and unlocks nothing, and
/// without such an agent, or after any failure, it says nothing: whoever presses a key is not to read of errors.
struct CompleteCommand: Command {
    static let path = "complete"
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Names for the shell, out of an open agent.",
        shouldDisplay: false
    )

    @Argument(help: "contacts, keys, hosts or secrets.")
    var kind: NameKind

    func run(_ context: Context) async throws {
        // A read that waits in place is ended by this, and by nothing that the agent does.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(1)
        let names = ((try? await names(context)) ?? []).filter(ShellName.isPlain)
        if !names.isEmpty { try context.output.line(names.joined(separator: "\n")) }
        try context.output.succeed(["names": .list(names.map { .text($0) })])
    }

    private func names(_ context: Context) async throws -> [String] {
        let path = try context.agentPaths().control
        guard Path.exists(path) else { return [] }
        // Whoever holds the key pressed cannot be asked.
        let hello = Hello(program: "hsip \(Program.version)", vault: try context.place().file, asks: .nobody)
        let agent = try AgentClient(path, hello: hello, waitsInPlace: true) { (greet) throws(AgentError) in
            try Hardening.visibly(greet)
        }
        guard agent.agent.isLocked == false else { return [] }
        let vault = CarriedService(agent)
        switch kind {
        case .contacts: return try await vault.contacts().map(\.alias)
        case .keys: return try await vault.sshKeys().map(\.name)
        case .hosts: return try await vault.sshHosts().map(\.name)
        case .secrets: return try await vault.credentials().map(\.name)
        }
    }
}
