package import System
@_exported public import Text
package import VaultCrypto

/// The one JSON object that a command prints (Schemas/cli/README.md).
package enum Envelope {
    /// Returns the object: with `data` after a success, or with `error` after a failure.
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

    /// Returns the object after a success.
    package static func done(_ command: String, _ data: JSONValue, warnings: [JSONValue] = []) -> JSONValue {
        of(command, isOK: true, JSONMember("data", data), warnings: warnings)
    }

    /// Returns the `error` of a failure.
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

    /// Returns a warning or note; `members` is an object with its further members.
    package static func warning(_ code: String, _ members: JSONValue) -> JSONValue {
        JSONValue.object([JSONMember("code", .text(code))]).with(members)
    }
}

extension SecretBuffer: JSONOutput {}

/// Writes JSON into locked memory, so that a value may be secret.
package enum JSONWriter {
    /// The size of the largest text, 256 MiB: enough for a report about the hundred thousand secrets of one import.
    private static let limit = 256 << 20

    /// Returns the UTF-8 bytes of a value on one line, without a line feed.
    package static func bytes(_ value: JSONValue) throws(ProgramError) -> SecretBytes {
        var out = try SecretBuffer(limit: limit)
        try value.write(to: &out)
        return try out.finish()
    }
}

/// The version of the programs and of the library, which is always the same.
package enum ProductVersion {
    package static let number: StaticString = "0.1.0"
    package static let text = "\(number)"
}

extension JSONValue {
    /// Returns the `version` object (Schemas/cli/version.schema.json) of the program or the library.
    package static func version(sqlite: String) -> JSONValue {
        let libraries = [("libsodium", LibraryVersion.sodium), ("sqlite", sqlite)]
        return [
            "program": "hsip", "version": .text(ProductVersion.text), "json": 1, "vaultFormat": 1,
            "protocol": "HSIP-XC1", "suites": [1], "messageVersion": 1,
            "libraries": .list(libraries.map { ["name": .text($0.0), "version": .text($0.1)] }),
        ]
    }
}
