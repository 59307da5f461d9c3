import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// A passphrase or a recovery code stays, whichever way a slot goes; a key file may be on this machine only.
@Suite struct LastSlotTests {
    private let vault: ScratchVault
    private let store: FileStore
    private let code: Unlock
    private let file: Unlock

    init() throws {
        vault = try ScratchVault()
        store = try vault.create()
        code = .recovery(try ScratchVault.code())
        file = .keyFile(try Secret(copying: [UInt8](repeating: 7, count: 32)))
    }

    private func phrase(_ text: String) throws -> NewSlot {
        NewSlot(.passphrase(try Secret(copying: Array(text.utf8))), parameters: PasswordHash.floor)
    }

    private func open(_ unlock: Unlock) throws -> FileStore {
        try FileStore.open(at: vault.paths, unlock: unlock, entropy: vault.entropy, now: { 1 })
    }

    private var kinds: [SlotKind] { get throws { try store.slots().map(\.kind) } }

    @Test func `a key file alone makes no vault`() throws {
        let other = try ScratchVault()
        #expect(
            refusal {
                _ = try FileStore.create(
                    at: other.paths,
                    slots: [NewSlot(file)],
                    entropy: other.entropy,
                    now: { 1 }
                )
            } == .lastSlot
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.scratch.path + "/vault").isEmpty)
    }

    @Test func `a removal leaves more than a key file, and is refused before it is asked about`() throws {
        try store.addSlot(NewSlot(file), unlock: code)
        try store.addSlot(phrase("one of two ways in"), unlock: code)
        try store.checkRemoval(of: 1)
        try store.removeSlot(1)
        for number in [3, 1] as [UInt32] {
            let error: StoreError = number == 3 ? .lastSlot : .noSuchSlot
            #expect(refusal { try store.checkRemoval(of: number) } == error)
            #expect(refusal { try store.removeSlot(number) } == error)
        }
        // Opened by the key file itself, it is the same.
        let opened = try open(file)
        #expect(refusal { try opened.removeSlot(3) } == .lastSlot)
        try opened.removeSlot(2)
        #expect(try kinds == [.passphrase])
    }

    @Test func `a key file does not take the place of the last passphrase, and a passphrase does`() throws {
        try store.addSlot(phrase("the first one"), unlock: code)
        try store.removeSlot(1)
        let first = try phrase("the first one").unlock
        #expect(refusal { _ = try store.replaceSlot(2, with: NewSlot(file), unlock: first) } == .lastSlot)
        #expect(try store.replaceSlot(2, with: phrase("the second one"), unlock: first) == 3)
        #expect(try kinds == [.passphrase])
        // Where a code stays, it may.
        let second = try phrase("the second one").unlock
        try store.addSlot(NewSlot(code), unlock: second)
        try store.replaceSlot(3, with: NewSlot(file), unlock: second)
        #expect(try kinds == [.recovery, .keyFile])
    }

    @Test func `a new vault key leaves more than a key file`() throws {
        try store.addSlot(NewSlot(file), unlock: code)
        for slots in [[.remade(2, file)], [.new(NewSlot(file))]] as [[RekeyedSlot]] {
            #expect(refusal { _ = try store.prepareRekey(slots) } == .lastSlot)
        }
        _ = try store.rekey(store.prepareRekey([.carried(1), .remade(2, file)]))
        #expect(try open(file).slots().map(\.kind) == [.recovery, .keyFile])
    }
}
