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

/// `hsip complete KIND`: names for word completion in a shell; only the scripts of `hsip completion` use it.
///
/// It answers within a second, and only from a vault that the agent has open. It never asks or unlocks. Without such
/// an agent, or after any failure, it prints nothing, since a person who presses a key should not get errors.
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
        // The alarm ends a read that blocks.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(1)
        let line = CompletionLine(line, end: end)
        var names = line.endings(among: (try? await candidates(line, context)) ?? [])
        // In zsh a colon separates a name from its description.
        if context.environment["SAP_SHELL"] == "zsh" { names = names.map { $0.replacing(":", with: "\\:") } }
        if !names.isEmpty { try context.output.line(names.joined(separator: "\n")) }
        try context.output.succeed(["names": .list(names.map { .text($0) })])
    }

    /// Returns the candidates at the cursor; names only if a shell reads them literally.
    private func candidates(_ line: CompletionLine, _ context: Context) async throws -> [String] {
        let path = try context.agentPaths().control
        guard Path.exists(path) else { return [] }
        // A person who holds the key down cannot be asked.
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

    /// Returns references that continue a word: the secrets, and after `#` the fields of a secret.
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

/// A command line up to the cursor, from a shell.
///
/// A shell may complete only the end of the last word: bash ends a word at `:`, `=` and `@`, so for `vault:na` it
/// asks about `na`.
struct CompletionLine {
    /// The words before the last one, unquoted.
    let words: [String]
    /// The word at the cursor, unquoted.
    let last: String
    /// The part of the word that the shell keeps before the completed text.
    private let kept: String

    /// - Parameters:
    /// - line: the line up to the cursor; empty if the shell does not pass it.
    /// - end: the part of the last word that the shell completes.
    init(_ line: String, end: String) {
        var words = Self.split(line)
        var last = words.popLast() ?? ""
        // The value of an option is a word of its own.
        if last.hasPrefix("--"), let equals = last.firstIndex(of: "=") {
            words.append(String(last[..<equals]))
            last = String(last[last.index(after: equals)...])
        }
        (self.words, self.last) = (words, last)
        let end = Self.split(end).last ?? ""
        kept = last.hasSuffix(end) ? String(last.dropLast(end.count)) : ""
    }

    /// Returns continuations of the last word, in the form that the shell inserts.
    func endings(among candidates: [String]) -> [String] {
        candidates.filter { $0.hasPrefix(last) }.map { String($0.dropFirst(kept.count)) }
    }

    /// Splits a line into words like a shell, as far as names and references need it; after a blank the last word is
    /// empty.
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

/// Names that can be offered to a shell unchanged.
///
/// A contact's name may come from another person, and bash *expands* completed words: a `$(…)` in a name would be
/// executed when a key is pressed. So only ASCII characters without a special meaning in any shell are offered. Other
/// names have to be typed in quotes.
enum ShellName {
    /// Whether a name has only letters and digits of any script, `. _ - / @ + ,` after the first character, and
    /// single spaces between them, which shells escape with a backslash.
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
