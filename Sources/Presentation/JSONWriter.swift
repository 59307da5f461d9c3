package import System
@_exported public import Text
package import VaultCrypto

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
