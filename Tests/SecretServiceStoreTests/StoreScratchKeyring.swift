import Foundation
import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import VaultCrypto

/// A vault of its own for one test, over a service in memory.
final class StoreScratchKeyring: Sendable {
    static let now: UInt64 = 1_800_000_000_000

    let scratch: StoreScratch
    let service = StoreFakeService()
    let paths: KeyringPaths
    let entropy: Entropy
    let natives: NativeValues

    init(_ natives: NativeValues? = nil, seed: UInt8 = 1) throws {
        scratch = try StoreScratch()
        paths = KeyringPaths(anchorFolder: scratch.path + "/state", lockFolder: scratch.path + "/run")
        entropy = .seeded([seed])
        self.natives = try natives ?? Self.passwords()
    }

    /// Other programs read the whole body of these kinds.
    static func passwords() throws -> NativeValues {
        NativeValues(kinds: [try RecordKind("password"), try RecordKind("token")]) { _, body in body }
    }

    func create() throws -> SecretServiceStore {
        try SecretServiceStore.create(
            named: "home",
            in: StoreFakeService.info,
            paths: paths,
            items: service,
            natives: natives,
            entropy: entropy,
            now: { Self.now }
        )
    }

    func open(_ vaultID: [UInt8], _ options: OpenOptions = OpenOptions()) throws -> SecretServiceStore {
        try SecretServiceStore.open(
            vaultID: vaultID,
            options: options,
            paths: paths,
            items: service,
            natives: natives,
            describe: { _ in StoreFakeService.info },
            entropy: entropy,
            now: { Self.now }
        )
    }

    var lockPath: String {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: paths.lockFolder)
            return paths.lockFolder + "/" + (names.first { $0.hasPrefix("lock-") } ?? "")
        }
    }

    /// What the lock file says.
    func lockText() throws -> String { try String(contentsOfFile: lockPath, encoding: .utf8) }

    /// Ends the login: the lock file goes.
    func logOut() throws { try FileManager.default.removeItem(atPath: lockPath) }

    func removeAnchor() throws { try FileManager.default.removeItem(atPath: paths.anchorFolder) }

    /// The items of a schema.
    func items(_ schema: String) -> [(path: ItemPath, item: StoreFakeService.Item)] {
        service.items.filter { $0.value.attributes["xdg:schema"] == "io.hsip.vault." + schema }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// Everything that can be seen of a record but its revision and times.
struct StoreSeen: Hashable {
    let id: String
    let uid: [UInt8]
    let label: String
    let attributes: Attributes
    let body: [UInt8]

    static func all(_ store: any Store) throws -> Set<StoreSeen> {
        let seen = try store.read { reader throws(StoreError) in
            var seen: [StoreSeen] = []
            for info in try reader.list(nil) {
                guard let record = try reader.find(info.id) else { continue }
                seen.append(
                    StoreSeen(
                        id: info.id.description,
                        uid: record.info.uid,
                        label: record.info.label,
                        attributes: record.info.attributes,
                        body: record.body.withBytes { $0.copied() }
                    )
                )
            }
            return seen
        }
        return Set(seen)
    }
}

extension Store {
    /// Writes one record over whatever is there.
    @discardableResult
    func put(
        _ id: RecordID,
        _ text: String,
        label: String = "",
        attributes: Attributes = .none
    ) throws -> Revision {
        let (floor, revision) = try read { reader throws(StoreError) in
            (reader.floor, try reader.info(id)?.revision ?? 0)
        }
        var changes = ChangeSet(floor: floor)
        changes.put(
            RecordDraft(
                id: id,
                label: label,
                attributes: attributes,
                body: try Secret(copying: Array(text.utf8))
            ),
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
