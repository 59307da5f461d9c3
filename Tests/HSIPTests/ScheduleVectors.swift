import Foundation
import Testing
import VaultCrypto

/// One case of a vector file, addressed by the names in that file.
struct ScheduleVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let root: JSONValue

    /// Every case of every file `Schemas/vectors/hsip-xc1*.json`.
    static let all: [ScheduleVector] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Schemas/vectors")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return names.filter { $0.hasPrefix("hsip-xc1") && $0.hasSuffix(".json") }.sorted().flatMap { name in
            guard let data = try? Data(contentsOf: folder.appending(path: name)),
                let file = try? JSONDecoder().decode(JSONValue.self, from: data),
                case .list(let cases) = file["cases"]
            else { return [ScheduleVector]() }
            return cases.enumerated().map { ScheduleVector(testDescription: "\(name) \($0)", root: $1) }
        }
    }()

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

    /// A field that the file does not have, or has with another type.
    struct Missing: Error { let path: [String] }
}

/// JSON as it stands in a file.
enum JSONValue: Decodable, Sendable {
    case object([String: JSONValue])
    case list([JSONValue])
    case string(String)
    case number(Int)
    case nothing

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
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
