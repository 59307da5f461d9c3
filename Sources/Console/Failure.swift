internal import Programs

/// What the program says when it fails: one line, at most one hint, one number.
package struct Failure: Error, Sendable {
    /// The finer name, for scripts.
    package var code: String
    /// The number the program ends with.
    package var status: Int32
    /// What happened: lower case, no full stop, nothing of the input but what `Display` let through.
    package var message: String
    /// More lines about it, for people: two keys that differ.
    package var explanation: [String] = []
    /// One command or flag that helps.
    package var hint: String?
    /// A public code that the person should send now, on a line of its own.
    package var toSend: String?
    /// More for scripts: the code to send, for instance.
    package var details: JSONValue

    package init(
        _ exit: ExitCode,
        code: String,
        message: String,
        hint: String? = nil,
        details: JSONValue = .null
    ) {
        self.init(status: exit.rawValue, code: code, message: message, hint: hint, details: details)
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
        Failure(.usage, code: "usage", message: message, hint: hint)
    }

    /// The failure of this module's own errors.
    package init(_ error: ConsoleError) {
        self.init(status: error.status, code: error.name, message: error.message, hint: error.hint)
    }
}
