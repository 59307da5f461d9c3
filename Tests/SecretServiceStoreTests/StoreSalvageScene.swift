import Foundation
import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// A vault in a keyring in memory that is going to be damaged, and every version that was ever committed to it.
final class StoreSalvageScene {
    /// One version of a record.
    struct Version: Hashable {
        let id: String
        let revision: Revision
        let body: [UInt8]

        init(_ record: Record) {
            id = record.info.id.description
            revision = record.info.revision
            body = record.body.withBytes { $0.copied() }
        }
    }

    let vault: StoreScratchKeyring
    let store: SecretServiceStore
    private(set) var written: Set<Version> = []
    private(set) var present: Set<Version> = []
    /// The items after each commit.
    private(set) var states: [[ItemPath: StoreFakeService.Item]] = []

    /// A vault whose records of the kinds `a` and `z` lie in pages of their own; `hasHistory` adds pages that were replaced,
    /// a record that was deleted, and a long body that changed.
    init(hasHistory: Bool = false) throws {
        (vault, store) = try StoreScratchKeyring.filled()
        try look()
        guard hasHistory else { return }
        try put("a", "1", String(repeating: "n", count: 7_400))
        try put("n", "long", String(repeating: "z", count: 9_500))
        try remove("z", "2")
        for number in 0..<4 { try put("m", "\(number)", String(repeating: "m", count: 7_000)) }
        try put("n", "b", "the last one")
    }

    func put(_ kind: String, _ name: String, _ text: String) throws {
        try store.put(RecordID(kind, name), text)
        try look()
    }

    func remove(_ kind: String, _ name: String) throws {
        var changes = ChangeSet(floor: 0)
        changes.delete(try RecordID(kind, name), expecting: nil)
        try store.commit(changes)
        try look()
    }

    private func look() throws {
        present = try store.read { reader throws(StoreError) in
            var found: Set<Version> = []
            for info in try reader.list(nil) {
                if let record = try reader.find(info.id) { found.insert(Version(record)) }
            }
            return found
        }
        written.formUnion(present)
        states.append(vault.service.items)
    }

    /// The copy of the root beside the anchor.
    var copyPath: String { vault.paths.rootCopy(store.vaultID) }

    func salvage() throws -> KeyringSalvage {
        try KeyringSalvage.read(vaultID: store.vaultID, paths: vault.paths, items: vault.service)
    }

    /// Puts everything back as it was after the last commit.
    func mend() { if let last = states.last { vault.service.restore(last) } }
}

extension KeyringSalvage {
    /// What a new vault would have.
    var versions: Set<StoreSalvageScene.Version> {
        Set(kept.values.map { StoreSalvageScene.Version($0.record) })
    }

    /// Those of it that the root vouches for.
    var vouched: Set<StoreSalvageScene.Version> {
        let certain = kept.values.filter { if case .vouched = $0.status { true } else { false } }
        return Set(certain.map { StoreSalvageScene.Version($0.record) })
    }

    var told: SalvageReport { report { _ in false } }
}
