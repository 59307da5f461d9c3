import FileStore
import Foundation
import RecordStore
import Testing
import VaultCrypto
import VaultKit

@testable import VaultLifecycle

/// A change of the vault key, in one process.
@Suite struct VaultRekeyTests {
    private static let now: Int64 = 1_800_000_000
    private let home: Home
    private let store: FileStore

    init() throws {
        home = try Home()
        store = try home.makeStore(try Code.slot(1))
    }

    private func file(_ byte: UInt8 = 1) throws -> OpenedFile {
        OpenedFile(store: store, secret: try Code.unlock(byte), companion: nil)
    }

    private func rekey(
        _ byte: UInt8 = 1,
        dropping: Set<UInt32> = [],
        isFresh: Bool = false
    ) throws -> VaultRekey {
        try VaultRekey(
            file(byte),
            at: home.locator(),
            dropping: dropping,
            isFresh: isFresh,
            now: Self.now
        )
    }

    private func plain(_ byte: UInt8) throws -> NewSlot {
        NewSlot(plainRecovery: try Secret(copying: [UInt8](repeating: byte, count: 16)), label: "old \(byte)")
    }

    private var record: VaultRecord? {
        get throws { try home.locator().config.record(of: home.locator().place.key) }
    }

    @Test func `what is carried, what is here and what is dropped are told apart`() throws {
        try store.addSlot(plain(2), unlock: Code.unlock(1))
        try store.addSlot(plain(3), unlock: Code.unlock(1))
        let slots = try store.slots()
        func outcomes(_ here: Set<UInt32>, _ dropped: Set<UInt32> = [], isFresh: Bool = false) -> [SlotFate
            .Outcome]
        {
            SlotFate.of(slots, carried: [1], here: here, dropped: dropped, isFresh: isFresh).map(\.outcome)
        }
        #expect(outcomes([1]) == [.carried, .ended, .ended])
        #expect(outcomes([2]) == [.carried, .remade, .ended])
        #expect(outcomes([2], [1, 2]) == [.dropped, .dropped, .ended])
        #expect(outcomes([1, 2], isFresh: true) == [.ended, .ended, .ended])
    }

    @Test func `a slot in the keyring does not keep its secret`() throws {
        let secret = try Secret(copying: [UInt8](repeating: 4, count: 32))
        let number = try store.addSlot(
            NewSlot(.secretService(secret), label: "login"),
            unlock: Code.unlock(1)
        )
        let slots = try store.slots()
        func fate(_ here: Set<UInt32>, dropped: Set<UInt32> = [], isFresh: Bool = false) -> SlotFate? {
            SlotFate.of(slots, carried: [1], here: here, dropped: dropped, isFresh: isFresh).last
        }
        #expect(fate([number])?.outcome == .renewed && fate([number])?.stays == false)
        #expect(fate([])?.outcome == .ended)
        #expect(fate([number], dropped: [number])?.outcome == .dropped)
        #expect(fate([number], isFresh: true)?.outcome == .ended)
    }

    @Test func `a typed secret that opens nothing is an error: no slot ends unseen`() throws {
        #expect(throws: StoreError.wrongSecret) { try rekey(9) }
        #expect(try store.testSlot(Code.unlock(1)) == 1)
    }

    @Test func `a new code is needed where one ends that was not given up`() throws {
        #expect(try !rekey().needsCode)
        #expect(try rekey(isFresh: true).needsCode)
        try store.addSlot(plain(2), unlock: Code.unlock(1))
        #expect(try !rekey().needsCode)
        let both = try rekey(dropping: [1])
        #expect(both.needsCode && both.codeLabel == "old 2")
        #expect(throws: StoreError.lastSlot) { try rekey(dropping: [1, 2]) }
    }

    @Test func `a key file that stays does not replace the last code`() throws {
        let key = Unlock.keyFile(try Secret(copying: [UInt8](repeating: 8, count: 32)))
        try store.addSlot(NewSlot(key, label: "systemd"), unlock: Code.unlock(1))
        func rekey(_ dropped: Set<UInt32>, _ secret: Unlock = key) throws -> VaultRekey {
            let file = OpenedFile(store: store, secret: secret, companion: nil)
            return try VaultRekey(
                file,
                at: home.locator(),
                dropping: dropped,
                isFresh: false,
                now: Self.now
            )
        }
        #expect(throws: StoreError.lastSlot) { try rekey([1]) }
        #expect(throws: StoreError.lastSlot) { try rekey([1], Code.unlock(1)) }
        #expect(try rekey([]).fates.map(\.outcome) == [.carried, .remade])
        #expect(try rekey([2]).fates.map(\.outcome) == [.carried, .dropped])
    }

    @Test func `shares that people hold are no code on paper`() throws {
        let shares = NewSlot(try Code.unlock(7), label: "shares 2 of 3")
        try store.addSlot(shares, unlock: Code.unlock(1))
        try store.addSlot(plain(2), unlock: Code.unlock(1))
        // The old code ends, and the shares, which stay, are not what its owner has on paper.
        let old = try rekey(7, dropping: [1])
        #expect(old.fates.map(\.outcome) == [.dropped, .carried, .ended])
        #expect(old.needsCode && old.codeLabel == "old 2")
        // Where the owner gave up every code by name, none is made.
        #expect(try !rekey(7, dropping: [1, 3]).needsCode)
        #expect(try rekey(7, isFresh: true).codeLabel == "paper")
        // Shares alone that end give way to a code, too: else nothing would open the vault.
        try store.removeSlot(1)
        try store.removeSlot(3)
        let fresh = try rekey(7, isFresh: true)
        #expect(fresh.needsCode && fresh.codeLabel == "paper")
    }

    @Test func `a first backup is made where there were copies by generations before`() async throws {
        let place = try home.locator().place
        let found = FoundVault.file(try FileStore.overview(at: place.paths))
        let folders = ["one", "two", "gone", "letters"].map { home.path + "/" + $0 }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let retention = try #require(Retention(newest: 7, monthly: 12))
        for folder in folders.dropLast() {
            _ = try FolderBackup(folder, of: found, at: place)
                .run(store, keeping: retention, showing: NoProgress(), now: Self.now)
        }
        // A copy with a name of its own makes no folder of backups.
        _ = try VaultBackup(folders[3] + "/copy", at: place, replaces: false)
            .write(store, showing: NoProgress(), now: Self.now)
        try FileManager.default.removeItem(atPath: folders[2])
        _ = try await rekey().run(Vault(store: store), newCode: nil, now: Self.now) {}
        let made = FirstBackups.make(of: store, found, at: place, showing: NoProgress(), now: Self.now)
        #expect(made.map(\.folder) == [folders[1], folders[0]])
        for attempt in made {
            let copy = try attempt.result.get().made
            #expect(copy.isNew && copy.check == .full && copy.copy.name.epoch == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: attempt.folder).count == 2)
        }
    }

    @Test func `it is written down, and no longer advised`() async throws {
        try home.locator().config.update(home.locator().place.key, of: store.vaultID) {
            $0.rekeyAdvisedAt = 1_700_000_000
            $0.recoveryTestedAt = 1_700_000_000
        }
        let vault = Vault(store: store, auditFolder: try home.locator().place.auditFolder)
        let outcome = try await rekey().run(vault, newCode: nil, now: Self.now) { Issue.record("undone") }
        #expect(outcome.report.position.epoch == 2 && outcome.offersClosed == 0)
        let record = try #require(try record)
        #expect(record.rekeyedAt == Self.now && record.rekeyAdvisedAt == nil)
        #expect(record.recoveryTestedAt == 1_700_000_000)
        let acts = try await vault.auditEntries(AuditQuery()).map(\.entry.act)
        #expect(acts == ["vault.rekey"])
    }

    @Test func `a new code opens the vault and is not tested yet`() async throws {
        try home.locator().config.update(home.locator().place.key, of: store.vaultID) {
            $0.recoveryTestedAt = 1_700_000_000
        }
        let code = try Secret(copying: [UInt8](repeating: 9, count: 16))
        let outcome = try await rekey(isFresh: true).run(Vault(store: store), newCode: code, now: Self.now) {}
        #expect(outcome.report.slots.map(\.number) == [2] && outcome.report.slots[0].label == "paper")
        #expect(try store.testSlot(.recovery(code)) == 2)
        #expect(throws: StoreError.wrongSecret) { try store.testSlot(Code.unlock(1)) }
        #expect(try record?.recoveryTestedAt == nil)
    }

    @Test func `open offers are closed in the same commit`() async throws {
        let vault = Vault(store: store)
        _ = try await vault.createIdentity(name: "Ada")
        _ = try await vault.makeOffer()
        _ = try await vault.makeOffer()
        let rekey = try rekey()
        #expect(rekey.openOffers == 2)
        let outcome = try await rekey.run(vault, newCode: nil, now: Self.now) {}
        #expect(outcome.offersClosed == 2)
        #expect(try await vault.openOffers().isEmpty)
        let offers = try store.read { reader throws(StoreError) in
            try reader.list(RecordKind("hsip.offer"))
        }
        #expect(offers.allSatisfy { $0.revision == outcome.report.position.generation })
    }

    @Test(arguments: [StoreError.diskFull, .busy, .tampered(.head)])
    func `what has changed nothing takes the new code away`(fault: StoreError) async throws {
        let rekey = try rekey(isFresh: true)
        var isUndone = false
        await #expect(throws: fault) {
            _ = try await rekey.run(
                Vault(store: store),
                newCode: Secret(copying: [UInt8](repeating: 9, count: 16)),
                showing: Stumble(step: .rekeying, fault: fault),
                now: Self.now
            ) { isUndone = true }
        }
        #expect(isUndone)
        #expect(try record?.rekeyedAt == nil && store.testSlot(Code.unlock(1)) == 1)
    }

    @Test func `where the outcome is open, the new code stays`() async throws {
        let rekey = try rekey(isFresh: true)
        await #expect(throws: StoreError.commitUnknown) {
            _ = try await rekey.run(
                Vault(store: store),
                newCode: Secret(copying: [UInt8](repeating: 9, count: 16)),
                showing: Stumble(step: .rekeying, fault: .commitUnknown),
                now: Self.now
            ) { Issue.record("undone") }
        }
    }

    @Test func `a vault whose move has begun keeps its key: the mark of the move is a key epoch`() throws {
        let locator = try home.locator()
        let note = MoveNote(
            to: .file("/elsewhere"),
            at: Position(epoch: 2, generation: 9),
            started: Self.now
        )
        try locator.config.update(locator.place.key, of: store.vaultID) { $0.move = note }
        #expect(throws: VaultRekey.Refusal.isMoving) { try rekey() }
    }
}
