internal import VaultCrypto

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
