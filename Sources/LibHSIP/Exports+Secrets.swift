public import CHSIP
internal import Secrets
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// One value of a secret that has not expired; see hsip.h.
@c @implementation
public func hsip_secret_get(
    _ vault: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ field: UnsafePointer<CChar>?,
    _ value: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe hsip_secret_read(vault, name, field, 0, 0, value, nil)
}

/// One value of a secret, and its expiry; see hsip.h.
@c @implementation
public func hsip_secret_read(
    _ vault: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ field: UnsafePointer<CChar>?,
    _ version: UInt32,
    _ flags: UInt32,
    _ value: UnsafeMutablePointer<hsip_bytes>?,
    _ expires_at: UnsafeMutablePointer<Int64>?
) -> hsip_status {
    unsafe OutputBytes.clear(value)
    if let expires_at = unsafe expires_at { unsafe expires_at.pointee = 0 }
    return Status.of {
        guard unsafe value != nil, flags & ~UInt32(HSIP_EVEN_EXPIRED) == 0 else {
            throw LibraryError.usage
        }
        let reference = try CredentialReference(
            unsafe CText.name(name),
            field: unsafe CText.optional(field),
            version: version == 0 ? nil : version
        )
        let found = try unsafe HandleTable.find(vault).call(secret: reference) {
            try await $0.vault.credentialValue(reference).settled()
        }
        if let expires_at = unsafe expires_at {
            unsafe expires_at.pointee = Int64(clamping: found.expires ?? 0)
        }
        let isTaken = flags & UInt32(HSIP_EVEN_EXPIRED) != 0
        guard isTaken || !found.isExpired(at: SystemTime.milliseconds() / 1_000) else {
            throw LibraryError.expired
        }
        try unsafe OutputBytes.give(found.value, to: value)
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
        // A longer value is refused before it is copied.
        guard value.count <= CredentialField.longestValue else { throw LibraryError.malformed }
        var change = CredentialChange()
        try change.put(try Secret(copying: value), in: field)
        let finished = change
        _ = try handle.call(secret: CredentialReference(name)) {
            try await $0.vault(Operations.setCredential, name, finished)
        }
    }
}
