package import System
@_exported public import Text
package import VaultCrypto

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

extension SecretBuffer: JSONOutput {}

/// Writes JSON into locked memory, so that a value may be secret.
package enum JSONWriter {
    /// The largest text written, 256 MiB: what there is to say of the hundred thousand secrets that one import may
    /// bring.
    private static let limit = 256 << 20

    /// The UTF-8 bytes of a value on one line, without a line feed.
    package static func bytes(_ value: JSONValue) throws(ProgramError) -> SecretBytes {
        var out = try SecretBuffer(limit: limit)
        try value.write(to: &out)
        return try out.finish()
    }
}

/// The version of the programs and of the library: one number for all.
package enum ProductVersion {
    package static let number: StaticString = "0.1.0"
    package static let text = "\(number)"
}

extension JSONValue {
    /// `version` (Schemas/cli/version.schema.json), of the program or the library.
    package static func version(sqlite: String) -> JSONValue {
        let libraries = [("libsodium", LibraryVersion.sodium), ("sqlite", sqlite)]
        return [
            "program": "hsip", "version": .text(ProductVersion.text), "json": 1, "vaultFormat": 1,
            "protocol": "HSIP-XC1", "suites": [1], "messageVersion": 1,
            "libraries": .list(libraries.map { ["name": .text($0.0), "version": .text($0.1)] }),
        ]
    }
}
