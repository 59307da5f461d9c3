internal import Console
package import RecordStore
internal import SecretServiceStore

/// How the default keyring of this session was found.
package enum KeyringFinding: Equatable {
    /// Its secrets can be read.
    case open
    /// It must be unlocked first.
    case locked
    /// It did not answer, or there is none.
    case failed(StoreError)

    /// What a list of collections says.
    init(_ collections: [CollectionInfo]) {
        switch collections.first(where: \.isDefault) {
        case nil: self = .failed(.noSuchCollection)
        case let standard?: self = standard.isLocked ? .locked : .open
        }
    }
}
