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
