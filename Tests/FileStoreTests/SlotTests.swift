import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto

/// Secrets come and go; the vault key and the records stay.
@Suite struct SlotTests {
    private let vault: ScratchVault
    private let store: FileStore
    private let first: Unlock

    init() throws {
        vault = try ScratchVault()
        store = try vault.create()
        first = .recovery(try ScratchVault.code())
    }

    private func code(_ number: UInt8) throws -> Unlock {
        .recovery(try Secret(copying: Array(repeating: number, count: 16)))
    }

    private func phrase(_ text: String) throws -> Unlock {
        .passphrase(try Secret(copying: Array(text.utf8)))
    }

    private func open(_ unlock: Unlock) throws -> FileStore {
        try FileStore.open(at: vault.paths, unlock: unlock, entropy: vault.entropy, now: { 1 })
    }

    @Test func `a passphrase is added, opens, is changed and removed`() throws {
        try store.put(RecordID("n", "a"), "text")
        let (old, new) = (try phrase("old passphrase"), try phrase("new passphrase"))
        let number = try store.addSlot(
            NewSlot(old, label: "desk", parameters: PasswordHash.floor),
            unlock: first
        )
        #expect(number == 2)
        #expect(
            try store.slots().map(\.label) == ["paper", "desk"]
                && store.slots().map(\.kind) == [.recovery, .passphrase]
                && store.slots().map(\.parameters) == [nil, PasswordHash.floor]
                && store.slots().allSatisfy { $0.created == ScratchVault.now }
        )
        #expect(try open(old).text(RecordID("n", "a")) == "text")
        #expect(try store.testSlot(old) == 2)
        let stronger = try PasswordHash.Parameters(operations: 4, kibibytes: 64 << 10)
        #expect(
            try store.replaceSlot(
                number,
                with: NewSlot(new, label: "desk", parameters: stronger),
                unlock: old
            )
                == 3
        )
        #expect(try store.slots().map(\.number) == [1, 3])
        #expect(try store.slots()[1].parameters == stronger)
        #expect(refusal { _ = try open(old) } == .wrongSecret)
        #expect(refusal { _ = try store.testSlot(old) } == .wrongSecret)
        #expect(try store.testSlot(new) == 3)
        try store.removeSlot(3)
        #expect(refusal { _ = try open(new) } == .noSuchSlot)
        #expect(try store.status().position.generation == 5)
        #expect(try open(first).verify().slots == 1)
    }

    @Test func `wrong secrets of any size are wrong, and change nothing`() throws {
        let number = try store.status().position.generation
        #expect(refusal { _ = try open(code(9)) } == .wrongSecret)
        #expect(refusal { _ = try open(.recovery(Secret(copying: [1]))) } == .wrongSecret)
        #expect(refusal { _ = try open(phrase("x")) } == .noSuchSlot)
        #expect(refusal { try store.addSlot(NewSlot(code(8)), unlock: code(9)) } == .wrongSecret)
        #expect(try store.status().position.generation == number)
    }

    @Test func `the last portable slot stays`() throws {
        #expect(refusal { try store.removeSlot(1) } == .lastSlot)
        #expect(refusal { try store.removeSlot(2) } == .noSuchSlot)
        try store.addSlot(NewSlot(code(2)), unlock: first)
        try store.removeSlot(1)
        #expect(refusal { try store.removeSlot(2) } == .lastSlot)
    }

    @Test func `four slots of a kind are the most, and one can still be replaced`() throws {
        for number in 2...4 { try store.addSlot(NewSlot(code(UInt8(number))), unlock: first) }
        #expect(refusal { try store.addSlot(NewSlot(code(5)), unlock: first) } == .slotLimit)
        #expect(try store.replaceSlot(2, with: NewSlot(code(5)), unlock: first) == 5)
        #expect(try store.slots().map(\.number) == [1, 3, 4, 5])
    }

    @Test func `secrets and labels out of bounds are refused`() throws {
        for slot in [
            NewSlot(try phrase("")), NewSlot(try phrase(String(repeating: "x", count: 1_025))),
            NewSlot(.recovery(try Secret(copying: [1]))),
            NewSlot(try code(2), label: String(repeating: "x", count: 1_025)),
        ] {
            #expect(refusal { try store.addSlot(slot, unlock: first) } == .invalidRecord(.slot))
        }
    }

    @Test func `a slot of an unknown kind is kept, listed and covered, and never tried`() throws {
        try Forger(vault).addSlot(kind: 19, label: "both at once")
        let opened = try open(first)
        let slot = try #require(try opened.slots().last)
        #expect(slot.kind.rawValue == 19 && slot.label == "both at once" && !slot.kind.isPortable)
        // It does not hold the vault alone.
        #expect(refusal { try opened.removeSlot(1) } == .lastSlot)
        try opened.addSlot(NewSlot(code(2)), unlock: first)
        #expect(try opened.slots().map(\.kind.rawValue) == [20, 19, 20])
        try opened.removeSlot(slot.number)
        #expect(try open(first).slots().map(\.kind.rawValue) == [20, 20])
    }

    @Test func `a code of an earlier program opens beside a new one, and by its own number`() throws {
        let (old, new) = (try code(8), try code(9))
        guard case .recovery(let secret) = old else { return }
        #expect(try store.addSlot(NewSlot(plainRecovery: secret), unlock: first) == 2)
        #expect(try store.addSlot(NewSlot(new), unlock: old) == 3)
        #expect(try store.slots().map(\.kind) == [.recovery, .plainRecovery, .recovery])
        #expect(try store.testSlot(old) == 2 && store.testSlot(new) == 3 && store.testSlot(first) == 1)
        #expect(refusal { _ = try open(code(7)) } == .wrongSecret)
        try store.removeSlot(1)
        try store.removeSlot(3)
        #expect(refusal { try store.removeSlot(2) } == .lastSlot)
        #expect(try open(old).verify().slots == 1)
    }

    @Test func `a removed slot is gone from the disk`() throws {
        try store.addSlot(NewSlot(code(2), label: "soon gone"), unlock: first)
        let proof = try #require(
            try vault.raw { try $0.blob("SELECT proof FROM slot WHERE n = 2") }
        )
        #expect(try contains(proof))
        try store.removeSlot(2)
        #expect(store.noted.isEmpty)
        #expect(try !contains(proof))
    }

    @Test(arguments: [(2, 65_536), (11, 65_536), (3, 65_535), (3, 4_194_304), (0, 0)] as [(UInt32, UInt32)])
    func `a password hash out of bounds is refused before any work`(
        parameters: (UInt32, UInt32)
    ) throws {
        let number = try store.addSlot(
            NewSlot(phrase("phrase"), parameters: PasswordHash.floor),
            unlock: first
        )
        var params: [UInt8] = [1]
        for value in [parameters.0, parameters.1] {
            params.append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
        }
        params += Array(repeating: 0, count: 16)
        try vault.raw {
            try $0.run("UPDATE slot SET params = ? WHERE n = \(number)", [.blob(params)])
        }
        #expect(refusal { _ = try open(phrase("phrase")) } == .kdfOutOfBounds)
    }

    @Test(arguments: ["UPDATE head SET key_epoch = 2", "UPDATE head SET vault_id = zeroblob(16)"])
    func `a passphrase notices that epoch or id were changed`(sql: String) throws {
        try store.addSlot(NewSlot(phrase("phrase"), parameters: PasswordHash.floor), unlock: first)
        try vault.raw { try $0.execute(sql) }
        #expect(refusal { _ = try open(phrase("phrase")) } == .tampered(.slots))
    }

    @Test func `a locked store refuses everything`() throws {
        store.lock()
        #expect(refusal { _ = try store.text(RecordID("n", "a")) } == .locked)
        #expect(refusal { try store.put(RecordID("n", "a"), "x") } == .locked)
        #expect(refusal { _ = try store.slots() } == .locked)
        #expect(refusal { _ = try store.verify() } == .locked)
        #expect(try vault.open().verify().records == 0)
    }

    private func contains(_ bytes: [UInt8]) throws -> Bool {
        try ["", "-wal"].contains { suffix in
            let path = vault.paths.vault + suffix
            guard FileManager.default.fileExists(atPath: path) else { return false }
            return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(bytes)) != nil
        }
    }
}
