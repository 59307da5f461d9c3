import Support
import Testing
import VaultCrypto

/// One exchange of `Schemas/vectors/service-sessions.json`.
struct SessionVector {
    private let texts: [String: String]

    var made: String { texts["made"] ?? "" }

    /// The bytes of a field.
    subscript(field: String) -> [UInt8] { texts[field].flatMap { Hex.decode($0) } ?? [] }

    static func all() throws -> [SessionVector] {
        let found = try #require(try file()["sessions"] as? [[String: String]])
        try #require(found.count > 5)
        return found.map { SessionVector(texts: $0) }
    }

    /// Ciphertexts whose padding is wrong, under the key of the first exchange, and the vector of all of them.
    static func badValues() throws -> (vector: [UInt8], values: [[UInt8]]) {
        let group = try #require(try file()["badValues"] as? [String: Any])
        let values = try #require(group["values"] as? [[String: String]])
        try #require(values.count == 10)
        let vector = try #require((group["vector"] as? String).flatMap { Hex.decode($0) })
        return (vector, values.compactMap { $0["ciphertext"].flatMap { Hex.decode($0) } })
    }

    private static func file() throws -> [String: Any] {
        try #require(try StoreVectors.load("service-sessions.json") as? [String: Any])
    }
}

/// A copy of secret bytes, so that a test can compare them.
func exposed(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { $0.copied() }
}
