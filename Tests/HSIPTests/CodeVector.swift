import Foundation
import HSIP
import Testing

/// One case of the known answers in Schemas/vectors, as far as it is about codes.
struct CodeVector: Sendable, CustomTestStringConvertible {
    /// One code in its two forms.
    struct Code: Decodable, Sendable {
        let bytes: String
        let code: String
    }

    struct Inputs: Decodable, Sendable {
        let idA_seed, idB_seed, eA, eB, rA, rB, nameA, nameB: String
        let issued: UInt64
        let ttl, life_hours, limit: UInt16
        let revoke_reason: UInt8
    }

    struct Identity: Decodable, Sendable {
        let A_pk, A_peerid, A_peerid_text, B_pk, B_peerid, session_id_of_B: String
    }

    struct Epoch: Decodable, Sendable {
        let ref, transcript: String
    }

    struct Case: Decodable, Sendable {
        let offer, answer, rotate, accept, revoke_session, revoke_identity, verify: Code
        let inputs: Inputs
        let identity: Identity
        let epoch0, epoch1: Epoch
        let safety_number: String
    }

    private struct File: Decodable {
        let cases: [Case]
    }

    let name: String
    let values: Case

    var testDescription: String { name }

    /// Every code of the case with the kind its name promises.
    var codes: [(kind: CodeKind, code: Code)] {
        [
            (.offer, values.offer), (.answer, values.answer), (.rotate, values.rotate),
            (.accept, values.accept), (.revoke, values.revoke_session), (.revoke, values.revoke_identity),
            (.verify, values.verify),
        ]
    }

    /// All cases of every file whose name begins with `hsip-xc1`.
    static let all: [CodeVector] = {
        do {
            return try read()
        } catch {
            return []
        }
    }()

    private static func read() throws -> [CodeVector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Schemas/vectors",
            directoryHint: .isDirectory
        ).standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("hsip-xc1") && $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        return try files.flatMap { file in
            let cases = try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).cases
            return cases.enumerated().map { number, values in
                CodeVector(name: "\(file.lastPathComponent) case \(number)", values: values)
            }
        }
    }
}
