import Foundation
import VaultCrypto

/// The known answers of Schemas/vectors/file-container.json.
struct FileVector: Decodable {
    struct Case: Decodable, Sendable {
        let size: Int
        let sealed_size: Int
        let sealed_sha256: String
        let last_bytes: String
    }

    let message_key: String
    let sender: String
    let nonce: String
    let file_key: String
    let header: String
    let empty_file: String
    let cases: [Case]

    static func load() throws -> FileVector {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Schemas/vectors/file-container.json").standardized
        return try JSONDecoder().decode(FileVector.self, from: Data(contentsOf: file))
    }

    /// The bytes behind a hexadecimal string; none if it is not one.
    static func bytes(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }

    /// The plaintext of a case: byte number i is i times 7 plus the high byte of i.
    static func plaintext(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) }
    }
}
