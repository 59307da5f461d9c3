import FileStore
import Foundation
import RecordStore
import SecretServiceStore
import Testing
import VaultCrypto

@testable import VaultLifecycle

/// A passphrase that nobody types is forgotten, and that is said before it is needed.
@Suite struct PassphraseUseTests {
    private static let day: Int64 = 86_400
    private let home: Home
    private let store: FileStore
    private let made: Int64

    init() throws {
        home = try Home()
        let secret = try Secret(copying: Array(Home.passphrase.utf8))
        store = try home.makeStore(
            NewSlot(.passphrase(secret), label: "passphrase", parameters: PasswordHash.floor)
        )
        made = Int64(clamping: try store.slots()[0].created / 1_000)
    }

    private var typedAt: Int64? {
        get throws { try home.locator().config.record(of: home.locator().place.key)?.passphraseTypedAt }
    }

    private func passphrase() throws -> Unlock {
        .passphrase(try Secret(copying: Array(Home.passphrase.utf8)))
    }

    @Test func `it is told only where the vault opens without it`() throws {
        let later = made + 90 * Self.day
        #expect(try !PassphraseUse.isForgotten(store.slots(), typedAt: nil, now: later))
        let item = try Secret(copying: [UInt8](repeating: 4, count: 32))
        try store.addSlot(NewSlot(.secretService(item), label: "login"), unlock: passphrase())
        #expect(try PassphraseUse.isForgotten(store.slots(), typedAt: nil, now: later))
        #expect(try !PassphraseUse.isForgotten(store.slots(), typedAt: nil, now: later - 1))
        #expect(try !PassphraseUse.isForgotten(store.slots(), typedAt: made + Self.day, now: later))
        #expect(
            try PassphraseUse.isForgotten(store.slots(), typedAt: made + Self.day, now: later + Self.day)
        )
        try store.addSlot(Code.slot(2), unlock: passphrase())
        try store.removeSlot(1)
        #expect(try !PassphraseUse.isForgotten(store.slots(), typedAt: nil, now: later))
    }

    @Test func `a use is written down once a day, and only that of a passphrase`() throws {
        let (locator, first) = (try home.locator(), made + 5 * Self.day)
        PassphraseUse.note(try Code.unlock(1), of: store.vaultID, at: locator, now: first)
        #expect(try typedAt == nil)
        let second = first + Self.day
        for (now, noted) in [(first, first), (second - 1, first), (second, second)] {
            PassphraseUse.note(try passphrase(), of: store.vaultID, at: locator, now: now)
            #expect(try typedAt == noted)
        }
        // A clock that was ahead is put right.
        PassphraseUse.note(try passphrase(), of: store.vaultID, at: locator, now: first)
        #expect(try typedAt == first)
        PassphraseUse.note(try passphrase(), of: [UInt8](repeating: 0, count: 16), at: locator, now: made)
        #expect(try typedAt == first)
    }

    @Test func `what an agent was given counts, and a file that was named does not`() throws {
        let (unlocker, now) = (try home.unlocker(), made + Self.day)
        let file = try home.write(Home.passphrase + "\n", to: "secret")
        _ = try unlocker.open(by: NamedSecret(.file(file)), .script, now: now)
        #expect(try typedAt == nil)
        _ = try unlocker.open(typed: try Secret(copying: Array(Home.passphrase.utf8)), now: now)
        #expect(try typedAt == now)
    }

    @Test func `old copies are counted where this machine knows of them`() throws {
        let place = try home.locator().place
        #expect(OldCopies(of: place, store.vaultID, nil).isNone)
        let copy = home.path + "/copy"
        _ = try VaultBackup(copy, at: place, replaces: false)
            .write(store, showing: NoProgress(), now: made)
        for ending in [".before-2026-11-22", ".before-2026-11-22-wal", ".new-0123456789ab"] {
            try Data().write(to: URL(fileURLWithPath: place.file + ending))
        }
        let copies = OldCopies(of: place, store.vaultID, nil)
        #expect(copies.backups == 1 && copies.kept == 1)
        #expect(copies.newest?.at == made && copies.newest?.folder == home.path)
        try FileManager.default.removeItem(atPath: copy)
        #expect(OldCopies(of: place, store.vaultID, nil).newest == nil)
    }
}
