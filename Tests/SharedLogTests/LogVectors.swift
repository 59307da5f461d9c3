import Foundation
import SharedLog
import VaultCrypto

/// The known answers in Schemas/vectors/machines.json, as far as they are about entries and state.
struct LogVectors: Decodable, Sendable {
    struct Machine: Decodable, Sendable {
        let name, seed, box_secret, sign_key, box_key, id: String
        let later_box_secret: String?
    }

    struct Paper: Decodable, Sendable {
        let code, bits, seed, box_secret, id: String
    }

    struct Entry: Decodable, Sendable {
        let n: UInt64
        let bytes, hash: String
        let state: String?
    }

    struct Object: Decodable, Sendable {
        let kind: UInt8
        let id: String
        let put, line, peer: String?
    }

    struct FinalState: Decodable, Sendable {
        let digest: String
        let members, objects: [String]
    }

    struct Refusal: Decodable, Sendable {
        let what, bytes, error: String
        let after: Int
    }

    let machines: [Machine]
    let paper: Paper
    let log: String
    let certificates: [String: String]
    let keys: [String: String]
    let entries: [Entry]
    let objects: [Object]
    let places: [String: UInt64]
    let final_state: FinalState
    let refusals: [Refusal]

    static func read() throws -> LogVectors {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../Schemas/vectors/machines.json").standardized
        return try JSONDecoder().decode(LogVectors.self, from: Data(contentsOf: file))
    }

    var logID: LogID { get throws { try Self.identifier(log) } }
    /// All entries as the server has them.
    var all: [[UInt8]] { entries.map { Self.bytes($0.bytes) } }

    func machine(_ name: String) throws -> Machine {
        guard let machine = machines.first(where: { $0.name == name }) else { throw Missing() }
        return machine
    }

    func key(_ epoch: UInt32) throws -> Secret {
        try Secret(copying: Self.bytes(keys["\(epoch)"] ?? ""))
    }

    static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

    static func identifier<Subject>(_ hex: String) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(bytes: bytes(hex)) else { throw Missing() }
        return id
    }

    /// What a machine knows: its box secrets, and every entry of the vectors as one that it may have sent.
    func facts(_ name: String) throws -> EntryContext {
        let machine = try machine(name)
        let secrets = [machine.box_secret, machine.later_box_secret].compactMap { $0 }
        var facts = EntryContext(
            boxSecrets: try secrets.map { try Secret(copying: Self.bytes($0)) },
            generation: 1_000
        )
        facts.sent = Set(entries.map { Self.bytes($0.hash) })
        return facts
    }

    /// The founder's book behind an entry.
    func founder(after place: Int) throws -> LogBook {
        let facts = try facts("laptop")
        let reader = LogSegment.Reader.recovering(try Self.identifier(machine("laptop").id), log: try logID)
        return try LogSegment(Array(all.prefix(place)), for: reader, facts).book
    }

    /// How `desktop` reads the log for the first time.
    func joining() throws -> LogSegment.Reader {
        .joining(
            try Self.identifier(machine("desktop").id),
            log: try logID,
            admitted: LogHead(place: 4, hash: Self.bytes(entries[3].hash)),
            epoch: 1,
            key: try key(1)
        )
    }

    struct Missing: Error {}
}

extension [UInt8] {
    /// The same with one bit changed.
    func changed(at index: Int) -> [UInt8] {
        var bytes = self
        bytes[index] ^= 1 << UInt8(index % 8)
        return bytes
    }
}
