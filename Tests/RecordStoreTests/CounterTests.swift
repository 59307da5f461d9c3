import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

@Suite struct CounterTests {
    private let vector: [String: Any]

    init() throws {
        vector = try #require(try StoreVectors.load("counter.json") as? [String: Any])
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        let text = try #require(vector[name] as? String)
        return try #require(Hex.decode(text))
    }

    private func number(_ name: String) throws -> UInt32 {
        let text = try #require(vector[name] as? String)
        return try #require(UInt32(text, radix: 16))
    }

    @Test func `the known answers come out: mark of the machine, handle, body`() throws {
        let vaultID = try bytes("vault_id")
        let machine = try CounterRecord.machine(bytes("machine_id"), vaultID: vaultID)
        #expect(try machine == bytes("record_name"))
        #expect(try CounterRecord.preferredHandle(machine: machine, vaultID: vaultID) == number("nv_handle"))
        #expect(vector["record_kind"] as? String == CounterRecord.kind)
        let value = try #require(vector["value"] as? UInt64)
        let time = try #require(vector["bumped_at"] as? UInt64)
        let made = CounterRecord(
            value: value,
            handle: try number("nv_handle"),
            name: try bytes("nv_name"),
            auth: try Secret(copying: bytes("auth")),
            countedAt: time
        )
        let record = try #require(made)
        #expect(try record.body().withBytes { $0.copied() } == bytes("body"))
        let body = try Secret(copying: bytes("body"))
        let read = try #require(CounterRecord(body))
        #expect(read.value == record.value && read.handle == record.handle && read.name == record.name)
        #expect(read.countedAt == record.countedAt && ConstantTime.equal(read.auth, record.auth))
    }

    @Test func `a body of another size or version is not read`() throws {
        let body = try bytes("body")
        #expect(try CounterRecord(Secret(copying: body + [0])) == nil)
        for count in 0..<body.count {
            #expect(try CounterRecord(Secret(copying: Array(body[..<count]))) == nil)
        }
        #expect(try CounterRecord(Secret(copying: [2] + body.dropFirst())) == nil)
    }

    @Test func `the known answers are judged`() throws {
        let results: [String: CounterJudgement] = [
            "fine": .fine, "fine, an increment is due": .countDue, "counterAhead": .ahead,
            "counterGone": .gone,
        ]
        let cases = try #require(vector["cases"] as? [[String: Any]])
        #expect(cases.count == 5)
        for found in cases {
            let seen = (found["tpm"] as? UInt64).map { CounterSight.value($0) } ?? .gone
            let judged = CounterJudgement(recorded: found["record"] as? UInt64, seen: seen)
            let result = try #require(found["result"] as? String)
            #expect(judged == results[result])
            #expect(judged.allowsWriting == (judged == .fine || judged == .countDue))
        }
    }

    @Test func `the ends of the numbers are judged as the rest`() {
        #expect(CounterJudgement(recorded: .max, seen: .value(.max)) == .fine)
        #expect(CounterJudgement(recorded: .max, seen: .value(.max - 1)) == .countDue)
        #expect(CounterJudgement(recorded: .max, seen: .value(0)) == .gone)
        #expect(CounterJudgement(recorded: 0, seen: .value(.max)) == .ahead)
        #expect(CounterJudgement(recorded: nil, seen: .gone) == .ahead)
        #expect(CounterJudgement(recorded: 1, seen: .unread) == .unread)
        #expect(!CounterJudgement(recorded: 1, seen: .unread).allowsWriting)
    }
}
