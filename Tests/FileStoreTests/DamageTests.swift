import FileStore
import Foundation
import RecordStore
import Testing

/// Files that are cut, damaged, or no vaults at all: a typed error or the truth, never a wrong answer.
@Suite struct DamageTests {
    private let attacked: AttackedVault

    init() throws {
        attacked = try AttackedVault()
    }

    /// Reads everything; nil when something refused, otherwise whether all of it is true.
    private func truth() -> Bool? {
        let vault = attacked.vault
        let result = outcome {
            let store = try FileStore.open(
                at: vault.paths,
                unlock: .recovery(ScratchVault.code()),
                options: OpenOptions(readOnly: true),
                entropy: vault.entropy,
                now: { 1 }
            )
            let listed = try store.read { reader throws(StoreError) in try reader.list(nil) }
            let texts = try attacked.ids.map { try store.text($0) }
            let absent = try store.text(RecordID("login", "nobody"))
            return listed.map(\.id) == attacked.ids.sorted() && absent == nil
                && texts == attacked.ids.map { "secret of \($0)" }
        }
        return try? result.get()
    }

    /// A stream of numbers that is the same in every run.
    private struct Numbers {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
    }

    @Test func `no flipped bit leads to a wrong answer`() throws {
        let whole = try attacked.vault.snapshot()
        #expect(truth() == true)
        var numbers = Numbers()
        var noticed = 0
        for _ in 0..<200 {
            var damaged = whole
            damaged[numbers.next(below: damaged.count)] ^= 1 << UInt8(numbers.next(below: 8))
            try attacked.vault.restore(damaged)
            switch truth() {
            case .some(let isTrue): #expect(isTrue)
            case nil: noticed += 1
            }
        }
        #expect(noticed > 40)
        try attacked.vault.restore(whole)
        #expect(truth() == true)
    }

    @Test func `a file cut short is refused and never an empty vault`() throws {
        let whole = try attacked.vault.snapshot()
        for part in [
            1, 15, 16, 99, 100, 511, 512, 4_095, 4_096, 4_097, 8_192, whole.count - 4_096, whole.count - 1,
        ] {
            try attacked.vault.restore(whole.prefix(part))
            let error = refusal { _ = try attacked.vault.open().verify() }
            switch error {
            case .corrupt, .notAVault, .schemaTampered, .tampered: break
            default: Issue.record("\(part) of \(whole.count) bytes: \(String(describing: error))")
            }
        }
    }

    @Test func `a damaged page is told as damage`() throws {
        let whole = try attacked.vault.snapshot()
        var refused = 0
        for page in 1..<whole.count / 4_096 {
            var damaged = whole
            for index in page * 4_096..<(page + 1) * 4_096 { damaged[index] = 0xA5 }
            try attacked.vault.restore(damaged)
            if refusal({ _ = try attacked.vault.open().verify() }) != nil { refused += 1 }
        }
        #expect(refused == whole.count / 4_096 - 1)
    }

    @Test(arguments: [
        Data(), Data("not a database, but long enough to have a header of its own".utf8), Data(count: 9_000),
    ])
    func `what is not a database is not a vault`(content: Data) throws {
        try attacked.vault.restore(content)
        #expect(refusal { _ = try attacked.vault.open() } == .notAVault)
    }

    @Test func `a file that is missing is not made`() throws {
        let vault = attacked.vault
        try FileManager.default.removeItem(atPath: vault.paths.vault)
        #expect(refusal { _ = try vault.open() } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: vault.paths.vault))
    }
}
