import FileStore
import Foundation
import Glibc
import RecordStore
import Support
import Synchronization
import VaultCrypto

/// A vault of its own for one test, with a known key, so that no password is hashed.
final class ScratchVault: Sendable {
    static let now: UInt64 = 1_800_000_000_000
    static let passphrase = "correct horse battery staple"
    static let vaultKey: [UInt8] = (0..<32).map { $0 &* 7 &+ 1 }
    static let vaultID: [UInt8] = (0..<16).map { $0 &+ 0xA0 }

    let scratch: StoreScratch
    let paths: VaultPaths
    let entropy: Entropy

    init(_ seed: UInt8 = 1) throws {
        scratch = try StoreScratch()
        paths = VaultPaths(
            vault: scratch.path + "/vault/vault.hsipvault",
            anchorFolder: scratch.path + "/state"
        )
        entropy = .seeded([seed])
    }

    /// A recovery slot: made and opened without a password hash.
    static func slot(_ label: String = "paper") throws -> NewSlot {
        NewSlot(.recovery(try code()), label: label)
    }

    static func code() throws -> Secret {
        try Secret(copying: Array("0123456789abcdef".utf8))
    }

    func create() throws -> FileStore {
        try FileStore.create(
            at: paths,
            vaultID: Self.vaultID,
            vaultKey: SecretBytes(copying: Self.vaultKey),
            slots: [Self.slot()],
            entropy: entropy,
            now: { Self.now }
        )
    }

    func open(_ options: OpenOptions = OpenOptions()) throws -> FileStore {
        try FileStore.open(
            at: paths,
            withVaultKey: SecretBytes(copying: Self.vaultKey),
            options: options,
            entropy: entropy,
            now: { Self.now }
        )
    }

    /// A connection that knows no rules: what an attacker with the file has.
    func raw<R>(_ body: (Database) throws -> R) throws -> R {
        try body(Database(paths.vault))
    }

    /// A copy of the vault file as it is now, log included, to be put back later.
    func snapshot() throws -> Data {
        try raw { _ = try $0.number("PRAGMA wal_checkpoint(TRUNCATE)") }
        return try Data(contentsOf: URL(fileURLWithPath: paths.vault))
    }

    /// Puts a copy back as the whole vault, keeping the file itself.
    func restore(_ data: Data) throws {
        try? FileManager.default.removeItem(atPath: paths.vault + "-wal")
        try? FileManager.default.removeItem(atPath: paths.vault + "-shm")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: paths.vault))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    func removeAnchor() throws {
        try FileManager.default.removeItem(atPath: paths.anchorFolder)
    }
}

extension Store {
    /// Writes one record over whatever is there.
    @discardableResult
    func put(_ id: RecordID, _ text: String, attributes: Attributes = .none) throws -> Revision {
        let (floor, revision) = try read { reader throws(StoreError) in
            (reader.floor, try reader.info(id)?.revision ?? 0)
        }
        var changes = ChangeSet(floor: floor)
        changes.put(
            RecordDraft(id: id, attributes: attributes, body: try Secret(copying: Array(text.utf8))),
            expecting: revision
        )
        return try commit(changes)
    }

    /// The text of a record; nil when there is none.
    func text(_ id: RecordID) throws -> String? {
        try read { reader throws(StoreError) in
            try reader.find(id).map { record in
                String(decoding: record.body.withBytes { $0.copied() }, as: UTF8.self)
            }
        }
    }
}
