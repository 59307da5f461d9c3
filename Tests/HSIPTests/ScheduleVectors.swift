import Foundation
import HSIP
import Testing
import VaultCrypto

/// One case of a vector file, addressed by the names in that file.
struct ScheduleVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let root: JSONValue

    /// Every case of every file `Schemas/vectors/hsip-xc1*.json`.
    static let all = cases(ofFiles: "hsip-xc1")
    /// Every case of `Schemas/vectors/suite02.json`.
    static let suiteTwo = cases(ofFiles: "suite02")

    private static func cases(ofFiles prefix: String) -> [ScheduleVector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Schemas/vectors")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted().flatMap { name in
            guard let data = try? Data(contentsOf: folder.appending(path: name)),
                let file = try? JSONDecoder().decode(JSONValue.self, from: data),
                case .list(let cases) = file["cases"]
            else { return [ScheduleVector]() }
            return cases.enumerated().map { ScheduleVector(testDescription: "\(name) \($0)", root: $1) }
        }
    }

    /// A part of the case, or each part of a list.
    subscript(name: String) -> ScheduleVector {
        ScheduleVector(testDescription: "\(testDescription) \(name)", root: root[name])
    }
    func list(_ name: String) throws -> [ScheduleVector] {
        guard case .list(let parts) = root[name] else { throw Missing(path: [name]) }
        return parts.map { ScheduleVector(testDescription: "\(testDescription) \(name)", root: $0) }
    }

    /// Whether something is so.
    func flag(_ path: String...) throws -> Bool {
        guard case .flag(let value) = path.reduce(root, { $0[$1] }) else { throw Missing(path: path) }
        return value
    }

    /// The bytes behind a hexadecimal string.
    func hex(_ path: String...) throws -> [UInt8] {
        guard let bytes = Hex.decode(try string(path)) else { throw Missing(path: path) }
        return bytes
    }

    /// The UTF-8 bytes of a text.
    func text(_ path: String...) throws -> [UInt8] { Array(try string(path).utf8) }

    /// A text.
    func string(_ path: String...) throws -> String { try string(path) }

    /// A number.
    func number(_ path: String...) throws -> Int {
        guard case .number(let value) = path.reduce(root, { $0[$1] }) else { throw Missing(path: path) }
        return value
    }

    /// A list of small numbers.
    func numbers(_ path: String...) throws -> [UInt8] {
        guard case .list(let values) = path.reduce(root, { $0[$1] }) else { throw Missing(path: path) }
        return try values.map {
            guard case .number(let value) = $0 else { throw Missing(path: path) }
            return UInt8(value)
        }
    }

    private func string(_ path: [String]) throws -> String {
        guard case .string(let value) = path.reduce(root, { $0[$1] }) else { throw Missing(path: path) }
        return value
    }

    /// The keys are those of this epoch.
    func checkKeys(_ keys: EpochSecrets) throws {
        try expect(keys.i2r, is: hex("key_i2r"))
        try expect(keys.r2i, is: hex("key_r2i"))
        try expect(keys.confirm, is: hex("confirm"))
        try expect(keys.rotate, is: hex("rotate"))
        try expect(keys.chain, is: hex("chain"))
        try expect(keys.nonceI2R, is: hex("nonce_i2r"))
        try expect(keys.nonceR2I, is: hex("nonce_r2i"))
        #expect(try keys.ref == hex("ref"))
        #expect(keys.messageKey(from: .offerer) === keys.i2r)
        #expect(keys.messageKey(from: .answerer) === keys.r2i)
        #expect(keys.nonceKey(of: .offerer) === keys.nonceI2R)
        #expect(keys.nonceKey(of: .answerer) === keys.nonceR2I)
    }

    /// A field that the file does not have, or has with another type.
    struct Missing: Error { let path: [String] }
}

/// JSON as it stands in a file.
enum JSONValue: Decodable, Sendable {
    case object([String: JSONValue])
    case list([JSONValue])
    case string(String)
    case number(Int)
    case flag(Bool)
    case nothing

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    subscript(name: String) -> JSONValue {
        guard case .object(let fields) = self else { return .nothing }
        return fields[name] ?? .nothing
    }
}
