public import CHSIP
internal import Credentials
internal import VaultCrypto
internal import VaultKit
internal import VaultOpening

/// One value of a secret; see hsip.h.
@c @implementation
public func hsip_secret_get(
    _ vault: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ field: UnsafePointer<CChar>?,
    _ value: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe LentBytes.clear(value)
    return Status.of {
        guard unsafe value != nil else { throw LibraryError.usage }
        let reference = try CredentialReference(
            unsafe CText.name(name),
            field: unsafe CText.optional(field)
        )
        let found = try unsafe HandleTable.find(vault).call { try await $0.credentialValue(reference) }
        guard !found.isExpired(at: SystemTime.milliseconds() / 1_000) else { throw LibraryError.expired }
        try unsafe LentBytes.give(found.value, to: value)
    }
}

/// Writes one value of a secret; see hsip.h.
@c @implementation
public func hsip_secret_set(
    _ vault: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ field: UnsafePointer<CChar>?,
    _ value: UnsafePointer<UInt8>?,
    _ size: Int
) -> hsip_status {
    Status.of {
        guard let value = unsafe BorrowedBytes(value, size) else { throw LibraryError.usage }
        let name = try unsafe CText.name(name)
        let field = try unsafe CText.optional(field)
        let handle = try unsafe HandleTable.find(vault)
        // Refused before it is copied: nothing longer is kept.
        guard value.count <= CredentialField.longestValue else { throw LibraryError.malformed }
        var change = CredentialChange()
        try change.put(try Secret(copying: value), in: field)
        let finished = change
        _ = try handle.call { try await $0.setCredential(name, finished) }
    }
}
