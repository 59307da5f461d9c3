internal import AgentProtocol
internal import ArgumentParser
internal import CommandKit
internal import Console
internal import Credentials
internal import Glibc
internal import Presentation
internal import Programs
internal import SSHFormats
internal import VaultKit
internal import VaultLifecycle

/// `hsip complete KIND`: names for the shell that completes a word; for the scripts of `hsip completion` only.
///
/// Answers only out of a vault that the agent has open, within a second. It asks no question and unlocks nothing, and
/// without such an agent, or after any failure, it says nothing: a person who presses a key is not to read of errors.
struct CompleteCommand: Command {
    static let path = "complete"
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Print names for the shell from an open agent.",
        shouldDisplay: false
    )

    @Argument(help: "contacts, keys, hosts, secrets, items, fields or references.")
    var kind: NameKind

    @Argument(help: "The line up to the cursor.")
    var line = ""

    @Argument(help: "The part of its last word that the shell completes.")
    var end = ""

    func run(_ context: Context) async throws {
        // A read that waits in place is ended by this, and by nothing that the agent does.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(1)
        let line = CompletionLine(line, end: end)
        var names = line.endings(among: (try? await candidates(line, context)) ?? [])
        // There a colon parts a name from what is said about it.
        if context.environment["SAP_SHELL"] == "zsh" { names = names.map { $0.replacing(":", with: "\\:") } }
        if !names.isEmpty { try context.output.line(names.joined(separator: "\n")) }
        try context.output.succeed(["names": .list(names.map { .text($0) })])
    }

    /// What may stand at the cursor; of names only those that a shell reads as they are.
    private func candidates(_ line: CompletionLine, _ context: Context) async throws -> [String] {
        let path = try context.agentPaths().control
        guard Path.exists(path) else { return [] }
        // A person who holds the key pressed cannot be asked.
        let hello = Hello(
            program: "hsip \(ProductVersion.text)",
            vault: try context.place().file,
            asks: .nobody
        )
        let agent = try AgentClient(path, hello: hello, waitsInPlace: true) { (greet) throws(AgentError) in
            try Hardening.visibly(greet)
        }
        guard agent.agent.isLocked == false else { return [] }
        let vault = CarriedService(agent)
        let names = { (all: [String]) in all.filter(ShellName.isPlain) }
        switch kind {
        case .contacts: return names(try await vault(Operations.contacts, .kept).map(\.alias))
        case .keys: return names(try await vault(Operations.sshKeys, .kept).map(\.name))
        case .hosts: return names(try await vault(Operations.sshHosts, .kept).map(\.name))
        case .items: return try await vault(Operations.itemSearch, ItemSearch()).open.map(\.id)
        case .secrets where !line.last.hasPrefix(Reference.scheme):
            return names(try await vault.credentials().map(\.name))
        case .secrets, .references: return try await references(for: line.last, vault)
        case .fields:
            let known = Set(try await vault.credentials().map(\.name))
            let meant = line.words.compactMap { Reference(reading: $0.utf8)?.name ?? $0 }
            guard let name = meant.last(where: known.contains) else { return [] }
            return names(try await vault(Operations.credential, name, .kept).fields)
        }
    }

    /// References that go on from a word: the secrets, and after `#` the fields of one.
    private func references(for word: String, _ vault: any VaultService) async throws -> [String] {
        let start = word.lastIndex(of: "=").map { String(word[...$0]) } ?? ""
        let begun = word.dropFirst(start.count)
        let known = try await vault.credentials().map(\.name).filter(ShellName.isPlain)
        guard let mark = begun.firstIndex(of: "#") else {
            return known.map { start + Reference(name: $0).text }
        }
        guard let name = Reference(reading: begun[..<mark].utf8)?.name, known.contains(name) else {
            return []
        }
        return try await vault(Operations.credential, name, .kept).fields.filter(ShellName.isPlain)
            .map { start + Reference(name: name, field: $0).text }
    }
}
