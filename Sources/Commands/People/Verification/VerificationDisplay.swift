internal import HSIP
internal import Presentation
internal import VaultKit

/// Shows the code, number and words that two people compare; words before pictures, for screen readers.
struct VerificationDisplay {
    let context: Context
    let comparison: Comparison
    let delivery: CodeDelivery

    /// Prints one form, or all three in this order.
    func print(_ form: VerificationForm?) throws -> CodeDelivery.Result {
        var given = CodeDelivery.Result()
        if form == nil || form == .code {
            given = try delivery.deliver(.verify(comparison.code), waits: true)
        }
        if form == nil || form == .number { try number() }
        if form == nil || form == .words { try words(isAsked: form == .words) }
        return given
    }

    private func number() throws {
        guard context.console.outputIsTerminal else {
            return try context.output.line(comparison.number.text)
        }
        let groups = comparison.number.text.split(separator: " ")
        try context.output.line("")
        for start in stride(from: 0, to: groups.count, by: 4) {
            let row = groups[start..<min(start + 4, groups.count)]
            try context.output.line(Self.places(row.indices) + row.joined(separator: " "))
        }
    }

    private func words(isAsked: Bool) throws {
        let words = comparison.words
        guard !words.isEmpty else {
            guard isAsked else { return }
            throw Failure(
                .noSession,
                "this contact has no pairing with words to compare",
                hint: "--number"
            )
        }
        let isTerminal = context.console.outputIsTerminal
        guard isTerminal else { return try context.output.line(words.map(\.word).joined(separator: " ")) }
        try context.output.line("")
        for row in [words.prefix(6), words.suffix(6)] {
            // Pictures come last in a line, because terminals do not agree on their width.
            let pictures = context.console.isUTF8 ? "   " + row.map(\.emoji).joined(separator: "  ") : ""
            try context.output.line(
                Self.places(row.indices) + row.map(\.word).joined(separator: " ") + pictures
            )
        }
        if let role = comparison.role {
            try context.output.sentence("  " + Self.mark(of: role, isUTF8: context.console.isUTF8))
        }
    }

    /// The numbers of the parts in a row, for the question about some of them.
    private static func places(_ indices: Range<Int>) -> String {
        let text = "\(indices.lowerBound + 1)-\(indices.upperBound)"
        return String(repeating: " ", count: max(1, 6 - text.utf8.count)) + text + "  "
    }

    /// The user's role of the two; the contact must have the other one.
    private static func mark(of role: Role, isUTF8: Bool) -> String {
        let (mine, theirs) = isUTF8 ? ("①", "②") : ("1", "2")
        return role == .offerer
            ? "You are \(mine) (offered); the other side must show \(theirs) (answered)."
            : "You are \(theirs) (answered); the other side must show \(mine) (offered)."
    }
}

extension Comparison {
    /// The twelve words with their pictures; empty without a pairing.
    var words: [(word: String, emoji: String)] {
        emoji.filter { $0 < 60 }.map { (Emoji.words[Int($0)], Emoji.pictures[Int($0)]) }
    }
}
