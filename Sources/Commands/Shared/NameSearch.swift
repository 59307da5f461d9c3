package import Presentation
internal import Text
internal import VaultKit

/// Finds the record that a word on the command line names, and explains if no record has the name.
///
/// Scripts need exact names; a person at a terminal may type the beginning of a name, and sees which one
/// matched.
package struct NameSearch<Summary: Sendable> {
    package let context: Context
    private let lookup: NameLookup<Summary>
    private let name: (Summary) -> String
    private let words: RecordWords
    /// The member of a note's JSON that holds the name.
    private let member: String
    /// The failure for a name that several records have; only contacts can share a name.
    private let ambiguous: (_ word: String, [Summary]) -> Failure

    package init(
        context: Context,
        lookup: NameLookup<Summary>,
        name: @escaping (Summary) -> String,
        words: RecordWords,
        member: String = "name",
        ambiguous: @escaping (_ word: String, [Summary]) -> Failure = { _, _ in
            Failure(.ambiguousName, "several records have this name")
        }
    ) {
        self.context = context
        self.lookup = lookup
        self.name = name
        self.words = words
        self.member = member
        self.ambiguous = ambiguous
    }

    /// The record that a word names; if no record has the name, nil and the nearest names.
    ///
    /// With `exactly`, the beginning of a name is not enough. Throws the error of `RecordWords` for a removed record
    /// with this name, and `ambiguousName` for several records.
    package func find(
        _ word: String,
        exactly: Bool = false,
        inTrash: Bool = false
    ) async throws -> (record: Summary?, near: [String]) {
        let byBeginning = !exactly && context.isInteractive
        switch try await lookup.find(word, inTrash: inTrash, byBeginning: byBeginning) {
        case .named(let record): return (record, [])
        case .begun(let record):
            tell(word, name(record))
            return (record, [])
        case .ambiguous(let records): throw ambiguous(word, records)
        case .inTrash: throw self.inTrash(word)
        case .unknown(let near): return (nil, near)
        }
    }

    /// The record that a word names.
    ///
    /// - Throws: as `find`; the error of `RecordWords` if no record has the name.
    package func resolve(_ word: String, exactly: Bool = false, inTrash: Bool = false) async throws -> Summary
    {
        let (record, near) = try await find(word, exactly: exactly, inTrash: inTrash)
        guard let record else { throw unknown(word, near: near, inTrash: inTrash) }
        return record
    }

    /// The failure if no record has the name.
    package func unknown(_ word: String, near: [String], inTrash: Bool = false) -> Failure {
        Failure(words.unknown(word, near: near, inTrash: inTrash, context.output.display))
    }

    /// The failure for the name of a removed record.
    package func inTrash(_ word: String) -> Failure { Failure(words.inTrash(word, context.output.display)) }

    private func tell(_ word: String, _ name: String) {
        context.output.note(
            Warning(
                "prefixMatched",
                "hsip uses \(context.output.display.cell(name))",
                fields: ["given": .text(word), member: .text(name)]
            )
        )
    }
}
