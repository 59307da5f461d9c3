internal import FileStore
package import RecordStore
package import SecretServiceStore
internal import Secrets
internal import VaultCrypto

/// Where a vault is moved to, and everything that is needed to make it there.
package enum MigrationTarget {
    /// A file, with the slots that will open it.
    case file(VaultPlace, [NewSlot])
    /// A collection that is open.
    case keyring(SecretService, CollectionInfo, name: String, KeyringPaths)

    package var location: Location {
        switch self {
        case .file(let place, _): .file(place.file)
        case .keyring(_, let collection, _, _):
            .keyring(path: collection.path, label: collection.label)
        }
    }

    /// The key epoch of the vault of this id that is there already; nil when there is none.
    func keyEpoch(of vaultID: [UInt8]) throws(StoreError) -> UInt32? {
        switch self {
        case .file(let place, _):
            guard let overview = try? FileStore.overview(at: place.paths), overview.vaultID == vaultID else {
                return nil
            }
            return overview.epoch
        case .keyring(let service, _, _, _):
            return try SecretServiceStore.keyEpoch(of: vaultID, in: service)
        }
    }

    /// Makes the copy; it does not count yet.
    func make(
        _ vaultID: [UInt8],
        of reader: any RecordReader,
        at position: Position
    ) throws(StoreError) -> OpenedStore {
        switch self {
        case .file(let place, let slots):
            .file(
                try FileStore.create(
                    at: place.paths,
                    vaultID: vaultID,
                    adopting: reader,
                    position: position,
                    slots: slots,
                    entropy: .system,
                    now: SystemTime.milliseconds
                )
            )
        case .keyring(let service, let collection, let name, let paths):
            .keyring(
                try SecretServiceStore.adopt(
                    reader,
                    vaultID: vaultID,
                    named: name,
                    position: position,
                    in: collection,
                    paths: paths,
                    items: service,
                    natives: .credentials,
                    entropy: .system,
                    now: SystemTime.milliseconds
                )
            )
        }
    }
}

extension NativeValues {
    /// Passwords and tokens, as other programs of the desktop read them; not those in the trash.
    package static let credentials = NativeValues(kinds: kinds) { _, body in
        guard let credential = try? Secrets.Credential(content: body), !credential.isRemoved else {
            return nil
        }
        switch credential.kind {
        case .login, .token: return credential.current[credential.kind.mainField]?.value
        case .note, .file: return nil
        }
    }

    private static var kinds: Set<RecordKind> {
        (try? RecordKind("secret")).map { [$0] } ?? []
    }
}
