internal import Text

/// The text of an error for people and scripts, in every program.
package struct Failure: Explainable {
    /// A name of `ErrorName`, or a name from an agent of another version.
    package var name: String
    /// The exit code of the program.
    package var exitCode: Int32
    /// The message: lower case, without a full stop, and without any byte of a value or an input.
    package var message: String
    /// Whether the person declined a prompt.
    ///
    /// The message is then whole sentences, and people see no `error:`.
    package var isCancellation = false
    /// Further lines for people, such as two different keys.
    package var lines: [String] = []
    /// One command or flag that helps.
    package var hint: String?
    /// A public code that the person should send now, printed on a line of its own.
    package var toSend: String?
    /// Further details for scripts (Schemas/cli/envelope.schema.json).
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

    /// Creates the failure for wrong words or flags: the mistake, and at most one correct command or flag.
    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, message, hint: hint)
    }

    /// Creates a failure from an error of another program.
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

    /// Creates the text of any error; an unexpected error is a fault of the program.
    package init(_ error: any Error) {
        self =
            (error as? any Explainable)?.explanation
            ?? Failure(.failure, "hsip failed unexpectedly", hint: "hsip vault check")
    }

    /// The message and the hint on one line, for the system journal.
    package var line: String {
        Display(isUTF8: true).text(message) + (hint.map { ": \($0)" } ?? "")
    }

    /// Returns a copy with another message.
    package func saying(_ message: String) -> Failure {
        var text = self
        text.message = message
        return text
    }

    init(_ words: Words, details: JSONValue = .null) {
        self.init(words.0, words.1, hint: words.hint, details: details)
    }

    /// The name, one line, and one command or flag.
    package typealias Words = (ErrorName, String, hint: String?)
}

/// An error with a public name and a sentence.
package protocol Explainable: Error {
    /// The text for people and scripts.
    var explanation: Failure { get }
}

/// An error whose text is its name, one line and a hint.
package protocol Worded: Explainable {
    /// The name, the line and the hint.
    var words: Failure.Words { get }
}

extension Worded {
    package var explanation: Failure { Failure(words) }
}
