internal import Text

/// What an error says, to a person and to a script: the same in every program.
package struct Failure: Explainable {
    /// A name of `ErrorName`, or a name that only an agent of another version knows.
    package var name: String
    /// The number that the program ends with.
    package var exitCode: Int32
    /// What happened: lower case, no full stop; never a byte of a value or of an input.
    package var message: String
    /// Whether the person declined a question: the message is whole sentences then, and people see no `error:`.
    package var isCancellation = false
    /// More lines about it, for people: two keys that differ.
    package var lines: [String] = []
    /// One command or flag that helps.
    package var hint: String?
    /// A public code that the person should send now, on a line of its own.
    package var toSend: String?
    /// More for scripts (Schemas/cli/envelope.schema.json).
    package var details: JSONValue

    package init(
        _ name: ErrorName,
        _ message: String,
        hint: String? = nil,
        details: JSONValue = .null,
        lines: [String] = [],
        exitCode: Int32? = nil
    ) {
        self.init(
            name: name.rawValue,
            exitCode: exitCode ?? name.exitCode,
            message,
            hint: hint,
            details: details
        )
        self.lines = lines
    }

    /// Wrong words or flags: what is wrong with them, and at most one command or flag that is right.
    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, message, hint: hint)
    }

    /// An error that another program named.
    package init(
        name: String,
        exitCode: Int32,
        _ message: String,
        hint: String? = nil,
        details: JSONValue = .null
    ) {
        self.name = name
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
        self.details = details
    }

    package var explanation: Failure { self }

    /// The text of any error; an unexpected error is a fault of the program.
    package init(_ error: any Error) {
        self =
            (error as? any Explainable)?.explanation
            ?? Failure(.failure, "hsip failed unexpectedly", hint: "hsip vault check")
    }

    /// The message and the hint in one line, as the system's journal keeps it.
    package var line: String {
        Display(isUTF8: true).text(message) + (hint.map { ": \($0)" } ?? "")
    }

    /// The same text with another message.
    package func saying(_ message: String) -> Failure {
        var text = self
        text.message = message
        return text
    }

    init(_ words: Words, details: JSONValue = .null) {
        self.init(words.0, words.1, hint: words.hint, details: details)
    }

    /// A name, one line, and one command or flag.
    package typealias Words = (ErrorName, String, hint: String?)
}

/// An error with a public name and a sentence.
package protocol Explainable: Error {
    /// What it says to a person and to a script.
    var explanation: Failure { get }
}

/// An error that says no more than its name, one line and a hint.
package protocol Worded: Explainable {
    /// The name, the line and the hint.
    var words: Failure.Words { get }
}

extension Worded {
    package var explanation: Failure { Failure(words) }
}
