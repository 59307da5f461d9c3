import RecordStore
import Support
import VaultCrypto

@testable import SecretServiceStore

/// A scratch keyring, a connection to it, and its default collection.
struct Desk {
    let keyring: ScratchKeyring
    let service: SecretService
    let collection: CollectionInfo

    init(_ keyring: ScratchKeyring? = nil, patience: Patience = .script) throws {
        let keyring = if let keyring { keyring } else { try ScratchKeyring() }
        self.keyring = keyring
        service = try SecretService.connect(environment: keyring.environment, patience: patience)
        collection = try service.collection(.standard, making: false)
    }

    func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    func create(_ text: String, _ attributes: [String: String], label: String = "Item") throws -> ItemPath {
        let draft = ItemDraft(label: label, attributes: attributes, secret: try secret(text))
        return try service.create(draft, in: collection.path)
    }

    func bytes(of path: ItemPath) throws -> [UInt8]? {
        var found: [UInt8]?
        try service.eachSecret(of: [path]) { _, bytes in found = bytes.copied() }
        return found
    }

    func text(of path: ItemPath) throws -> String? {
        try bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
    }

    func texts(of paths: [ItemPath]) throws -> [ItemPath: String] {
        var found: [ItemPath: String] = [:]
        try service.eachSecret(of: paths) { path, bytes in
            found[path] = String(decoding: bytes.copied(), as: UTF8.self)
        }
        return found
    }
}
