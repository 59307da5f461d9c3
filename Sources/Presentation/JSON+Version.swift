internal import VaultCrypto

extension JSONValue {
    /// `version` (Schemas/cli/version.schema.json), of the program or the library.
    package static func version(_ version: String, sqlite: String) -> JSONValue {
        let libraries = [("libsodium", LibraryVersion.sodium), ("sqlite", sqlite)]
        return [
            "program": "hsip", "version": .text(version), "json": 1, "vaultFormat": 1,
            "protocol": "HSIP-XC1", "suites": [1], "messageVersion": 1,
            "libraries": .list(
                libraries.map { ["name": .text($0.0), "version": .text($0.1)] }
            ),
        ]
    }
}
