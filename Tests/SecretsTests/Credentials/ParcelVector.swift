import Foundation
import VaultCrypto

/// The known answers of Schemas/vectors/parcels.json, as far as the content goes.
struct ParcelVector: Decodable {
    struct Case: Decodable, Sendable {
        let name: String
        let act: UInt8
        let version: UInt32
        let made: UInt64
        let end: UInt64
        let secret: String
        let note: String
        let content: String
        let plaintext: String
    }

    let gift: String
    let cases: [Case]

    static func load() throws -> ParcelVector {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "../../Schemas/vectors/parcels.json").standardized
        return try JSONDecoder().decode(ParcelVector.self, from: Data(contentsOf: file))
    }

    static func bytes(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }
}
