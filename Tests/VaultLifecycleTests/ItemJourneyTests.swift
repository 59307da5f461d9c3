import FileStore
import Foundation
import RecordStore
import Secrets
import System
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

@testable import VaultLifecycle

/// What programs keep goes wherever the vault goes: owners, readers, versions, ends and the trash.
@Suite struct ItemJourneyTests {
    private static let now: Int64 = 1_800_000_000
    private let home: Home
    private let store: FileStore

    init() throws {
        home = try Home()
        store = try home.makeStore(try Code.slot(1))
    }

    /// Everything that is said of an item or a collection, and its secret.
    private struct Kept: Hashable {
        let id: RecordID
        let uid: [UInt8]
        let label: String
        let attributes: [String: [UInt8]]
        let times: [UInt64]
        let body: [UInt8]
    }

    /// A signal that never comes.
    private struct Silence: Interruption {
        var caught: Int32? { nil }

        func stop() {}
    }

    /// The recovery code of a slot, as its owner types it.
    private struct TypedCode: SecretSource {
        let byte: UInt8
        var isNamed: Bool { true }

        func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
            do throws(CryptoError) {
                return try RecoveryText.encode(try Secret(copying: [UInt8](repeating: byte, count: 16)))
            } catch {
                throw .store(.outOfMemory)
            }
        }
    }

    @Test func `a move to another file takes them along, byte for byte`() async throws {
        try await fill(store)
        let before = try kept(store)
        let vault = try home.locator()
        let target = try home.locator("moved").place
        let migration = VaultMigration(
            of: .file(store),
            try #require(try vault.settledRecord()),
            at: vault,
            to: .file(target, [try Code.slot(2)]),
            showing: NoProgress(),
            watch: { Silence() },
            now: { Self.now }
        )
        _ = try migration.run()
        let moved = try open(target, 2)
        #expect(try kept(moved) == before)
        try await expectWhole(moved)
    }

    @Test func `a new key of the vault changes nothing about them`() async throws {
        try await fill(store)
        let before = try kept(store)
        let rekey = try VaultRekey(
            OpenedFile(store: store, secret: try Code.unlock(1), companion: nil),
            at: home.locator(),
            dropping: [],
            isFresh: false,
            now: Self.now
        )
        _ = try await rekey.run(Vault(store: store), newCode: nil, now: Self.now) {}
        #expect(try kept(store) == before)
        try await expectWhole(store)
    }

    @Test func `a repair brings them back as they were`() async throws {
        try await fill(store)
        let before = try kept(store)
        store.lock()
        let repair = try VaultRepair.begin(
            nil,
            at: home.locator(),
            into: home.path + "/repaired",
            with: [],
            watch: { Silence() }
        )
        let report = try repair.run(
            try repair.open(by: TypedCode(byte: 1), home.unlocker()),
            takesMissing: false
        )
        #expect(report.vault != nil)
        let paths = VaultPaths(
            vault: home.path + "/repaired",
            anchorFolder: try home.locator().place.paths.anchorFolder
        )
        let repaired = try FileStore.open(
            at: paths,
            unlock: try Code.unlock(1),
            options: OpenOptions(readOnly: true, stale: true),
            entropy: .system,
            now: SystemTime.milliseconds
        )
        #expect(try kept(repaired) == before)
    }

    @Test func `a restore of a backup has the items of then, and gives no program back what it lost since`()
        async throws
    {
        let ids = try await fill(store)
        let backup = home.path + "/vault.backup"
        _ = try store.backUp(to: backup)
        let vault = LocalService(Vault(store: store))
        var change = ItemChange()
        change.formerReaders = [try program("/usr/bin/mutt")]
        _ = try await vault(Operations.setItemAccess, [ids.kept], change)
        _ = try await vault(Operations.removeItem, [ids.other])
        store.lock()
        let restore = try VaultRestore.begin(backup, at: home.locator(), replaces: true, now: Self.now)
        let opened = try restore.open(by: TypedCode(byte: 1), home.unlocker()).backup
        _ = try restore.place(opened, acceptsRollback: true, showing: NoProgress(), now: Self.now)
        let restored = LocalService(Vault(store: try open(home.locator().place, 1)))
        let item = try #require(try await restored.itemViews([ids.kept]).first?.details)
        #expect(item.owner?.text == "/usr/bin/mail" && item.readers.map(\.text) == ["snap:firefox"])
        #expect(try await restored(Operations.itemVersions, ids.kept).count == 2)
        let trash = try await restored(Operations.itemSearch, ItemSearch(inTrash: true)).open.map(\.id)
        #expect(Set(trash) == [ids.removed, ids.other])
    }

    // MARK: Steps

    /// One item with all that an item can have, one in the trash, and one in a collection that `default` names.
    @discardableResult
    private func fill(_ store: FileStore) async throws -> (kept: String, removed: String, other: String) {
        let vault = LocalService(Vault(store: store))
        let kept = try await vault(
            Operations.makeItem,
            making("first", ["user": "joe", "n": "1"], type: "text/html")
        )
        var change = ItemChange()
        change.value = try Secret(copying: [UInt8](repeating: 0x76, count: 9_000))
        change.expires = 4_000_000_000
        _ = try await vault(Operations.setItem, [kept.place.id], change)
        change = ItemChange()
        change.owner = .program(try program("/usr/bin/mail"))
        change.newReaders = [try program("/usr/bin/mutt"), try program("snap:firefox")]
        _ = try await vault(Operations.setItemAccess, [kept.place.id], change)
        let removed = try await vault(Operations.makeItem, making("gone", ["n": "2"]))
        _ = try await vault(Operations.removeItem, [removed.place.id])
        let work = try await vault(
            Operations.setCollection,
            CollectionChange(label: "Work", becomesDefault: true)
        )
        let other = try await vault(Operations.makeItem, making("third", ["n": "3"], in: work.id))
        return (kept.place.id, removed.place.id, other.place.id)
    }

    /// What `fill` made can be read as it was.
    private func expectWhole(_ store: FileStore) async throws {
        let vault = LocalService(Vault(store: store))
        let wanted = try attributes(["user": "joe"])
        let id = try #require(try await vault(Operations.itemSearch, ItemSearch(wanted)).open.first?.id)
        let item = try #require(try await vault.itemViews([id]).first?.details)
        #expect(item.owner?.text == "/usr/bin/mail")
        #expect(item.readers.map(\.text) == ["/usr/bin/mutt", "snap:firefox"])
        let versions = try await vault(Operations.itemVersions, id)
        let first = try await vault.itemValues(ItemReading([id], version: versions.first))
        #expect(versions.count == 2 && first.first?.value.withBytes { $0.copied() } == Array("first".utf8))
        #expect(try await vault(Operations.itemSearch, ItemSearch(inTrash: true)).open.count == 1)
        #expect(try await vault(Operations.itemCollections).first { $0.isDefault }?.label == "Work")
    }

    private func kept(_ store: FileStore) throws -> Set<Kept> {
        let kinds = try [ItemRecord.kind, CollectionRecord.kind].map { try RecordKind($0) }
        let all = try store.read { reader throws(StoreError) in
            var all: Set<Kept> = []
            for kind in kinds {
                for info in try reader.list(kind) {
                    let body = try reader.find(info.id)?.body.withBytes { $0.copied() } ?? []
                    let pairs = info.attributes.all.map { ($0.name, $0.value) }
                    all.insert(
                        Kept(
                            id: info.id,
                            uid: info.uid,
                            label: info.label,
                            attributes: Dictionary(uniqueKeysWithValues: pairs),
                            times: [info.created, info.modified, info.expires],
                            body: body
                        )
                    )
                }
            }
            return all
        }
        #expect(all.count == 4 && all.allSatisfy { !$0.body.isEmpty })
        return all
    }

    private func open(_ place: VaultPlace, _ byte: UInt8) throws -> FileStore {
        try FileStore.open(
            at: place.paths,
            unlock: try Code.unlock(byte),
            entropy: .system,
            now: SystemTime.milliseconds
        )
    }

    private func making(
        _ value: String,
        _ pairs: [String: String],
        in collection: String = "login",
        type: String? = nil
    ) throws -> ItemMaking {
        ItemMaking(
            collection: collection,
            label: "L \(value)",
            attributes: try attributes(pairs),
            contentType: type,
            value: try Secret(copying: Array(value.utf8))
        )
    }

    private func attributes(_ pairs: [String: String]) throws -> ItemAttributes {
        try ItemAttributes(pairs.map { .init(name: Array($0.key.utf8), value: Array($0.value.utf8)) })
    }

    private func program(_ text: String) throws -> ProgramIdentity { try #require(ProgramIdentity(text)) }
}
