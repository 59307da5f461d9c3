import Foundation
import HSIP
import Testing
import VaultCrypto

/// The known answers for the codes between machines, as far as they are about codes.
struct MachineVector: Decodable {
    struct Machine: Decodable {
        let seed, box_secret, sign_key, box_key, id, name: String
    }

    struct Join: Decodable {
        let bytes, code, number, ref: String
    }

    struct Admit: Decodable {
        let bytes, code, number, ephemeral, key, address: String
        let epoch: UInt32
        let role, carrier: UInt8
    }

    struct Head: Decodable {
        let bytes, code, number: String
        let n: UInt64
    }

    struct Entry: Decodable {
        let n: UInt64
        let hash: String
    }

    struct Sizes: Decodable {
        let join, admit, head, admit_bytes: Int
    }

    let machines: [Machine]
    let log: String
    let join: Join
    let admit: Admit
    let head: Head
    let entries: [Entry]
    let sizes: Sizes

    /// Read once.
    static let known = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../../Schemas/vectors/machines.json")
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// Who joins, and who admits.
    var joiner: Machine { get throws { try #require(machines.first { $0.name == "desktop" }) } }
    var keeper: Machine { get throws { try #require(machines.first { $0.name == "laptop" }) } }
}

func hex(_ text: String) throws -> [UInt8] { try #require(Hex.decode(text)) }
