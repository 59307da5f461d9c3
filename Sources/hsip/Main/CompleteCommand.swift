internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Glibc
internal import Presentation
internal import SSHFormats
internal import Secrets
internal import System
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
        let agent = try AgentClient(path, hello: hello, reading: .inPlace) { (greet) throws(AgentError) in
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

/// A command line up to the cursor, as a shell hands it over.
///
/// A shell may complete only the end of the last word: bash ends a word at `:`, `=` and `@`, so of `vault:na` it asks
/// about `na`.
struct CompletionLine {
    /// The words before the last one, without their quotes.
    let words: [String]
    /// The word at the cursor, without its quotes.
    let last: String
    /// What of it the shell keeps before the text that it is given.
    private let kept: String

    /// - Parameters:
    ///   - line: the line up to the cursor; empty where the shell says nothing.
    ///   - end: the part of the last word that the shell completes.
    init(_ line: String, end: String) {
        var words = Self.split(line)
        var last = words.popLast() ?? ""
        // An option's value is a word of its own.
        if last.hasPrefix("--"), let equals = last.firstIndex(of: "=") {
            words.append(String(last[..<equals]))
            last = String(last[last.index(after: equals)...])
        }
        (self.words, self.last) = (words, last)
        let end = Self.split(end).last ?? ""
        kept = last.hasSuffix(end) ? String(last.dropLast(end.count)) : ""
    }

    /// What goes on from the last word, in the form that the shell puts in its place.
    func endings(among candidates: [String]) -> [String] {
        candidates.filter { $0.hasPrefix(last) }.map { String($0.dropFirst(kept.count)) }
    }

    /// Words as shells part them, as far as names and references need it; the last is empty after a blank.
    private static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        var isEscaped = false
        for character in line {
            switch character {
            case _ where isEscaped:
                word.append(character)
                isEscaped = false
            case "\\" where quote != "'": isEscaped = true
            case quote: quote = nil
            case "'" where quote == nil, "\"" where quote == nil: quote = character
            case " " where quote == nil, "\t" where quote == nil:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return words + [word]
    }
}

/// Names that a shell can be offered as they are.
///
/// A contact's name may have come from another person, and bash *expands* the words that it completes: `$(…)` in a
/// name would be run when a key is pressed. So of ASCII only what no shell reads as anything else is let through.
/// Others are typed by hand, between quotes.
enum ShellName {
    /// Letters and digits of every script, and `. _ - / @ + ,` after the first character; single spaces between them,
    /// which shells set a backslash before.
    static func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isLetter(first), name.utf8.count <= 255 else {
            return false
        }
        guard !name.hasSuffix(" "), !name.contains("  ") else { return false }
        return name.unicodeScalars.dropFirst().allSatisfy {
            isLetter($0) || "._-/@+, ".unicodeScalars.contains($0)
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}
