internal import System
package import VaultCrypto

extension Terminal {
    /// Asks for a passphrase or another secret of one line: nothing of it is shown, not even its length.
    package func askHidden(_ question: String, flag: String) throws(ConsoleError) -> SecretBytes {
        try hidden(question, .hiddenLine, limit: 4_096, flag: flag)
    }

    /// Asks for a secret of several lines: a note.
    ///
    /// Ctrl-D ends it, which the question should say.
    package func askHiddenText(
        _ question: String,
        limit: Int = OwnFile.textLimit,
        flag: String
    ) throws(ConsoleError) -> SecretBytes {
        try hidden(question, .hiddenText, limit: limit, flag: flag)
    }

    /// Asks for a new secret twice; Enter alone at the first question gives an empty one without the second.
    ///
    /// `check` refuses what would not do, before it is typed again. Throws `entriesDiffer` when the two
    /// differ, what `check` throws, and what keeps the questions from being answered.
    package func askTwice(
        _ question: String,
        again: String,
        flag: String,
        check: (borrowing SecretBytes) throws(ConsoleError) -> Void = { _ in }
    ) throws(ConsoleError) -> SecretBytes {
        let first = try askHidden(question, flag: flag)
        guard first.count > 0 else { return first }
        try check(first)
        let second = try askHidden(again, flag: flag)
        let isSame = first.withBytes { one in
            second.withBytes { other in Self.areEqual(one, other) }
        }
        guard isSame else { throw .entriesDiffer }
        return first
    }

    /// Waits for a pasted code or chat text; nil when Enter alone was pressed.
    ///
    /// Waits as long as it takes, because the other person has to answer first, unless `seconds` says
    /// otherwise.
    package func askCode(
        _ question: String,
        seconds: Int? = nil,
        flag: String?
    ) throws(ConsoleError) -> [UInt8]? {
        let asked = Question(text: "\(question) ", kind: .code, limit: OwnFile.textLimit, seconds: seconds)
        let answer = try secret(asked, flag: flag).withBytes { $0.copied() }
        return answer.allSatisfy { $0 <= 0x20 } ? nil : answer
    }

    /// Asks for a text that is shown while it is typed and may be pasted with several lines: a message.
    ///
    /// Waits as long as it takes.
    package func askText(_ question: String, flag: String) throws(ConsoleError) -> SecretBytes {
        try secret(
            Question(text: "\(question) ", kind: .code, limit: OwnFile.textLimit, seconds: nil),
            flag: flag
        )
    }

    /// Asks for words of a list, which are shown while they are typed; a blank completes the word before it.
    ///
    /// Waits as long as it takes. `completing` gives what is missing of a word that was begun.
    package func askWords(
        _ question: String,
        limit: Int,
        flag: String,
        completing: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) throws(ConsoleError) -> SecretBytes {
        var asked = Question(text: "\(question): ", kind: .code, limit: limit, seconds: nil)
        asked.flushesTypeAhead = true
        asked.completing = completing
        return try secret(asked, flag: flag)
    }

    private func hidden(
        _ question: String,
        _ kind: Question.Kind,
        limit: Int,
        flag: String
    ) throws(ConsoleError) -> SecretBytes {
        let asked = Question(text: "\(question): ", kind: kind, limit: limit, flushesTypeAhead: true)
        return try secret(asked, flag: flag)
    }

    /// Without an early end, so that the time says nothing.
    private static func areEqual(_ one: RawSpan, _ other: RawSpan) -> Bool {
        guard one.byteCount == other.byteCount else { return false }
        var difference: UInt8 = 0
        for index in 0..<one.byteCount {
            difference |= one.byte(at: index) ^ other.byte(at: index)
        }
        return difference == 0
    }
}

/// A question for the person at the terminal.
struct Question {
    /// What an answer may be.
    enum Kind: Equatable {
        /// One visible line; pasted line feeds become spaces.
        case line
        /// A visible paste that may be wrapped over many lines.
        case code
        /// One hidden line; pasted line feeds are dropped.
        case hiddenLine
        /// A hidden text of several lines, which Ctrl-D ends; on a dumb terminal Enter does.
        case hiddenText
    }

    let text: String
    let kind: Kind
    /// The answer's largest size in bytes.
    var limit = 4_096
    /// Seconds without a key after which no one is there; nil waits for ever.
    var seconds: Int? = Terminal.patience
    /// What was typed before the question is thrown away: for secrets and for yes or no.
    var flushesTypeAhead = false
    /// What a blank adds to the word before it, where that is the beginning of one that is known.
    var completing: (@Sendable ([UInt8]) -> [UInt8])?

    /// Whether the answer is a secret that is shown while it is typed: it is drawn out of locked memory, letter by letter.
    var showsSecret: Bool { completing != nil }

    var isHidden: Bool { kind == .hiddenLine || kind == .hiddenText }
}
