import Foundation
import HSIP
import VaultCrypto

/// The known answers of Schemas/vectors/parcels.json, as far as the container goes.
struct ParcelVector: Decodable {
    struct Case: Decodable, Sendable {
        let name: String
        let plaintext: String
        let bytes: String
        let text: String
    }

    let message_key: String
    let sender: String
    let nonce: String
    let file_key: String
    let cases: [Case]

    static func load() throws -> ParcelVector {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Schemas/vectors/parcels.json").standardized
        return try JSONDecoder().decode(ParcelVector.self, from: Data(contentsOf: file))
    }
}
