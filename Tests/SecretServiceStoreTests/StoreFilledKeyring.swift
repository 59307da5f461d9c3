import KeyringFake
import RecordStore
import Testing
import VaultCrypto

@testable import SecretServiceStore

extension StoreScratchKeyring {
    /// A vault whose records of the kinds `a` and `z` lie in pages of their own, and a long one and a few in the root.
    static func filled() throws -> (StoreScratchKeyring, SecretServiceStore) {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        var changes = ChangeSet(floor: 0)
        for kind in ["a", "z"] {
            for number in 0..<4 {
                let body = try Secret(copying: Array(repeating: UInt8(number), count: 7_500))
                changes.put(RecordDraft(id: try RecordID(kind, "\(number)"), body: body), expecting: 0)
            }
        }
        try store.commit(changes)
        try store.put(RecordID("n", "long"), String(repeating: "x", count: 9_000))
        try store.put(RecordID("n", "a"), "note", label: "L", attributes: Attributes(["host": "h"]))
        try store.put(RecordID("password", "p"), "word", attributes: Attributes(["user": "me"]))
        return (vault, store)
    }

    /// The root as it lies in the keyring.
    func root() throws -> Root {
        let header = try #require(items("Header").first)
        return try #require(
            try header.item.secret.withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
    }

    /// Writes a root that is whole and says something else.
    func replaceRoot(by root: Root) throws {
        let path = try #require(items("Header").first).path
        let text = try root.text().withBytes { $0.copied() }
        service.tamper { $0[path]?.secret = text }
    }

    /// The page that holds the records of a kind.
    func page(of kind: String) throws -> ItemPath {
        let hex = try #require(root().pages.first { $0.first.kind.rawValue == kind }).reference.id.hex
        return try #require(items("Page").first { $0.item.attributes["page"] == hex }).path
    }

    /// The page of the long body.
    func longBody() throws -> ItemPath {
        let records = [try page(of: "a"), try page(of: "z")]
        return try #require(items("Page").first { !records.contains($0.path) }).path
    }
}

extension Store {
    /// The names of the records, of one kind or all.
    func ids(_ kind: String? = nil) throws -> [String] {
        let kind = try kind.map { try RecordKind($0) }
        return try read { reader throws(StoreError) in try reader.list(kind) }.map(\.id.description)
    }
}
