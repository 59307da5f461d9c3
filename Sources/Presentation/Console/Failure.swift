internal import System

/// What the program says when it fails: one line, at most one hint, one number.
package struct Failure: Error, Sendable {
    /// The finer name, for scripts.
    package var code: String
    /// The number the program ends with.
    package var status: Int32
    /// What happened: lower case, no full stop, nothing of the input but what `Display` let through.
    package var message: String
    /// Whether the person declined a question: the message is whole sentences then, and people see no `error:`.
    package var isCancellation = false
    /// More lines about the failure, for people: two keys that differ.
    package var explanation: [String] = []
    /// One command or flag that helps.
    package var hint: String?
    /// A public code that the person should send now, on a line of its own.
    package var toSend: String?
    /// More for scripts: the code to send, for instance.
    package var details: JSONValue

    package init(
        _ name: ErrorName,
        _ message: String,
        hint: String? = nil,
        details: JSONValue = .null,
        explanation: [String] = []
    ) {
        self.init(
            status: name.exitCode,
            code: name.rawValue,
            message: message,
            hint: hint,
            details: details
        )
        self.explanation = explanation
    }

    package init(
        status: Int32,
        code: String,
        message: String,
        hint: String? = nil,
        details: JSONValue = .null
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.details = details
    }

    /// Wrong words or flags: what is wrong with them, and at most one command or flag that is right.
    package static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.usage, message, hint: hint)
    }

    /// The failure of an error that has a name and a sentence.
    package init(_ text: ErrorText) {
        self.init(
            status: text.exitCode,
            code: text.name,
            message: text.message,
            hint: text.hint,
            details: text.details
        )
        (isCancellation, explanation, toSend) = (text.isCancellation, text.lines, text.toSend)
    }
}

/// Every error as a person reads it.
package enum Failures {
    /// One line, one hint, one number; never a byte of the input.
    package static func explain(_ error: any Error) -> Failure {
        (error as? Failure) ?? Failure(ErrorText(error))
    }
}
