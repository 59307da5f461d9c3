public import VaultCrypto

/// A value that was asked for.
public struct CredentialValue: Sendable {
    /// The credential, the field and the version that it is of.
    public let reference: CredentialReference
    /// What the credential is.
    public let kind: CredentialKind
    /// When the credential expires, Unix seconds.
    public let expires: UInt64?
    /// The value.
    public let value: Secret

    /// A value of the vault.
    package init(reference: CredentialReference, kind: CredentialKind, expires: UInt64?, value: Secret) {
        self.reference = reference
        self.kind = kind
        self.expires = expires
        self.value = value
    }

    /// Whether it is past its time at a moment, Unix seconds.
    public func isExpired(at second: UInt64) -> Bool { expires.map { $0 <= second } ?? false }
}

/// Values that were asked for together, as they cross a process boundary.
package struct CredentialValues: Sendable {
    private struct Head: Sendable {
        let reference: CredentialReference
        let kind: CredentialKind
        let expires: UInt64?
    }

    private let heads: [Head]
    private let values: SecretPack

    package init(_ values: [CredentialValue]) throws(CredentialError) {
        heads = values.map { Head(reference: $0.reference, kind: $0.kind, expires: $0.expires) }
        self.values = try SecretPack(values.map(\.value))
    }

    package func all() throws(CredentialError) -> [CredentialValue] {
        let values = try values.secrets()
        guard values.count == heads.count else { throw .malformed }
        return zip(heads, values).map {
            CredentialValue(reference: $0.reference, kind: $0.kind, expires: $0.expires, value: $1)
        }
    }
}

extension CredentialValues: Codable {
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        values = try list.decode(SecretPack.self)
        var heads: [Head] = []
        while !list.isAtEnd {
            heads.append(
                Head(
                    reference: try list.decode(CredentialReference.self),
                    kind: try list.decode(CredentialKind.self),
                    expires: try list.decodeNil() ? nil : try list.decode(UInt64.self)
                )
            )
        }
        self.heads = heads
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(values)
        for head in heads {
            try list.encode(head.reference)
            try list.encode(head.kind)
            if let expires = head.expires { try list.encode(expires) } else { try list.encodeNil() }
        }
    }
}
