import HSIP
import Testing
import VaultCrypto

/// One code of the known answers, for tests that treat all kinds alike.
struct SampleCode: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: CodeKind
    let bytes: [UInt8]
    let text: String

    /// All codes of all cases.
    static let all: [SampleCode] = CodeVector.all.flatMap { vector in
        vector.codes.map { kind, code in
            SampleCode(
                testDescription: "\(kind.hrp) \(code.bytes.count / 2) of \(vector.name)",
                kind: kind,
                bytes: Hex.decode(code.bytes) ?? [],
                text: code.code
            )
        }
    }

    /// One code of each kind that suite 02 changes.
    static let suiteTwo: [SampleCode] = ScheduleVector.suiteTwo.prefix(1).flatMap { vector in
        let rotation = (try? vector.list("rotations").first) ?? vector
        return [
            (CodeKind.offer, vector["offer"]), (.answer, vector["answer"]), (.rotate, rotation["rotate"]),
            (.accept, rotation["accept"]),
        ].map { kind, code in
            SampleCode(
                testDescription: "\(kind.hrp) of suite 02",
                kind: kind,
                bytes: (try? code.hex("bytes")) ?? [],
                text: (try? code.string("code")) ?? ""
            )
        }
    }

    /// The codes of one case, for the slower tests.
    static let some = Array(all.prefix(7))
}
