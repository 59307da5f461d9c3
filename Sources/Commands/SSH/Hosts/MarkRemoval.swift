internal import Presentation
internal import SSHFormats
internal import VaultKit

/// Asks for consent to remove revocation marks and authorities, which may cover more hosts than the one named.
struct MarkRemoval {
    /// The most bytes of names to type; for longer names, the user types their number.
    private static let longest = 100

    private let marks: [HostKeySummary]
    private let target: HostTarget
    private let context: Context

    /// Asks about `marks`, lines with one key that cover the host.
    init(_ marks: [HostKeySummary], of target: HostTarget, _ context: Context) {
        (self.marks, self.target, self.context) = (marks, target, context)
    }

    /// Whether the user agrees.
    ///
    /// If the lines name this host alone, hsip asks yes or no. Otherwise the user must type their names.
    ///
    /// - Throws: `inputNeeded` without a user to ask; `denied` if the typed names are not the names in the lines.
    func isWanted(expecting expected: String?) throws -> Bool {
        guard let first = marks.first else { return false }
        let what = first.host.marker == .revoked ? "revoked" : "an authority"
        let names = marks.map { HostKeyCells.names($0, context.output.display).shown }
        let fact = "\(HostKeyCells.words(first.key)) is \(what) for \(names.joined(separator: " and "))"
        if let expected { return try agrees(expected, fact) }
        guard marks.contains(where: { Self.isWide($0) }) else {
            return try context.agrees("\(fact). Remove?")
        }
        guard context.terminal.isAvailable else {
            throw Failure(
                .inputNeeded,
                "\(fact), which covers more than \(target.shown), and hsip cannot ask",
                hint: "--expect \(ShellWord.quoted(wanted))"
            )
        }
        let kind = isCounted ? "the number of names" : "these names"
        let question = context.question(
            "To continue, type \(kind)",
            after: ["\(fact).", "That covers more than \(target.shown) and ends for all of them."]
        )
        let typed = try context.terminal.ask(question, flag: "--expect \(ShellWord.quoted(wanted))")
        return try !typed.isEmpty && agrees(typed, fact)
    }

    private func agrees(_ typed: String, _ fact: String) throws(Failure) -> Bool {
        guard typed == wanted else {
            throw Failure(
                .denied,
                "\(fact): the names you gave are others; nothing was done",
                hint: "hsip ssh host show \(ShellWord.quoted(target.word))"
            )
        }
        return true
    }

    /// The text to type: the names as they are in the lines, or their number.
    private var wanted: String {
        isCounted
            ? "\(marks.reduce(0) { $0 + $1.host.names.names.count })" : String(decoding: text, as: UTF8.self)
    }

    /// Whether the names are too long, or cannot be typed on every keyboard.
    private var isCounted: Bool {
        text.count > Self.longest || !text.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private var text: [UInt8] { Array(marks.map(\.host.names.text).joined(separator: [0x2C])) }

    /// Whether a line covers other hosts as well.
    private static func isWide(_ line: HostKeySummary) -> Bool {
        line.host.names.hasWildcards || line.host.names.names.count > 1
    }
}
