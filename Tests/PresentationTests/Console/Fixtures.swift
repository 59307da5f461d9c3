import CLinux
import Foundation
import Glibc
import Presentation
import System
import Testing
import VaultCrypto

/// Files of the repository and folders of the tests.
enum Fixtures {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every code of the protocol's test vectors, by kind.
    static let codes: [Code] = {
        let url = root.appending(path: "Schemas/vectors/hsip-xc1.json")
        guard let data = try? Data(contentsOf: url),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = file["cases"] as? [[String: Any]]
        else { return [] }
        return cases.enumerated().flatMap { number, content in
            content.compactMap { kind, value in
                ((value as? [String: Any])?["code"] as? String).map {
                    Code(number: number, kind: kind, text: $0)
                }
            }
        }.sorted { ($0.number, $0.kind) < ($1.number, $1.kind) }
    }()

    /// A folder that is removed after `body`.
    static func inFolder<R>(_ body: (String) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hsip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path())
    }

    /// Opens a file for reading and writing, made when it is not there.
    static func open(_ path: String) -> Descriptor {
        Descriptor(unsafe Glibc.open(path, O_CREAT | O_RDWR, 0o600))
    }

    /// Owner's, group's and others' permissions.
    static func mode(_ path: String) throws -> Int {
        let all = try FileManager.default.attributesOfItem(atPath: path)
        return (all[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Both ends of a pipe.
    static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        _ = unsafe Glibc.pipe(&ends)
        return (ends[0], ends[1])
    }

    /// Makes a named pipe.
    static func makeFifo(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }

    /// True when a helper program is installed.
    static func has(_ program: String) -> Bool {
        ChildProcess.find(program, in: .process) != nil
    }
}

struct Code: Sendable, CustomTestStringConvertible {
    let number: Int
    let kind: String
    let text: String

    var testDescription: String { "\(number) \(kind)" }
}

/// The bytes of a secret, for comparing in a test.
func bytes(_ secret: borrowing some ByteSource & ~Copyable) -> [UInt8] {
    secret.withBytes { $0.copied() }
}

/// The text of a secret, for comparing in a test.
func text(_ secret: borrowing some ByteSource & ~Copyable) -> String {
    String(decoding: bytes(secret), as: UTF8.self)
}
