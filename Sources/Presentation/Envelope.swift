/// The one object that a command answers with (Schemas/cli/README.md).
package enum Envelope {
    /// The object: `data` of what was done, or `error` with the reason of what was not.
    package static func of(
        _ command: String,
        isOK: Bool,
        _ content: JSONMember,
        warnings: [JSONValue]
    ) -> JSONValue {
        .object([
            JSONMember("hsip", 1), JSONMember("command", .text(command)), JSONMember("ok", .bool(isOK)),
            content, JSONMember("warnings", .list(warnings)),
        ])
    }

    /// The same of something that was done.
    package static func done(_ command: String, _ data: JSONValue, warnings: [JSONValue] = []) -> JSONValue {
        of(command, isOK: true, JSONMember("data", data), warnings: warnings)
    }

    /// The `error` of something that was refused.
    package static func error(
        code: String,
        exit: Int32,
        message: String,
        hint: String?,
        details: JSONValue
    ) -> JSONMember {
        JSONMember(
            "error",
            [
                "code": .text(code), "exit": .integer(exit), "message": .text(message),
                "hint": .optional(hint), "details": details,
            ]
        )
    }

    /// A warning or note; `members` is an object of its further members.
    package static func warning(_ code: String, _ members: JSONValue) -> JSONValue {
        JSONValue.object([JSONMember("code", .text(code))]).with(members)
    }
}
