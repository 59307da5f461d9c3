internal import SSHFormats
package import VaultKit

/// The objects of Schemas/cli/ssh-key.schema.json.
extension JSONValue {
    /// A key; `folder` is where the public halves are published.
    package static func sshKey(_ key: KeySummary, publishedIn folder: String) -> JSONValue {
        .object(sshKeyMembers(key, publishedIn: folder))
    }

    private static func sshKeyMembers(_ key: KeySummary, publishedIn folder: String) -> [JSONMember] {
        let isRemoved = key.removedAt != nil
        let file = isRemoved ? nil : "\(folder)/\(key.name).pub"
        let members: [(String, JSONValue)] = [
            ("name", .text(key.name)),
            ("fingerprint", .text(key.fingerprint)),
            ("type", .text(key.algorithm.name)),
            ("bits", .optional(key.bits.map { Int64($0) })),
            ("comment", .optional(String(validating: key.comment, as: UTF8.self))),
            ("commentBase64", .base64(key.comment)),
            ("state", isRemoved ? "removed" : .text(key.state.word)),
            ("origin", .text(key.origin.word.lowercased())),
            ("publicKeyBase64", key.blob.isEmpty ? .null : .base64(key.blob)),
            ("publicFile", .optional(file)),
            ("confirm", .bool(key.use.needsConfirmation)),
            ("lifetimeSeconds", .optional(key.use.lifetime == 0 ? nil : Int64(key.use.lifetime))),
            ("onlyFor", .list(key.use.hosts.map { .text($0) })),
            ("sign", .list(key.use.namespaces.map { .text($0) })),
            ("certificates", .integer(Int64(key.certificates))),
            ("certificateEndsAt", .time(key.certificateEndAt)),
            ("createdAt", .time(Int64(key.created))),
            ("modifiedAt", .time(Int64(key.modified))),
            ("retiredAt", .time(key.retiredAt.map { Int64($0) })),
            ("removedAt", .time(key.removedAt.map { Int64($0) })),
            ("restorableUntilAt", .time(key.removedAt.map { Int64(TrashPolicy.end(removedAt: $0)) })),
        ]
        return members.map { JSONMember($0.0, $0.1) }
    }

    /// `ssh key list`.
    package static func sshKeys(_ keys: [KeySummary], publishedIn folder: String) -> JSONValue {
        ["keys": .list(keys.map { .sshKey($0, publishedIn: folder) })]
    }

    /// `ssh key show`: everything but the private half.
    package static func sshKeyDetails(_ half: PublicHalf, publishedIn folder: String) -> JSONValue {
        .object(
            sshKeyMembers(half.summary, publishedIn: folder) + [
                JSONMember("md5", .text(Fingerprint(of: half.publicKey, .md5).description)),
                JSONMember("randomart", .list(Randomart.lines(of: half.publicKey).map { .text($0) })),
                JSONMember("hadPassphrase", .bool(half.hadPassphrase)),
                JSONMember("certificateKeys", .list(half.certificates.map { .sshCertificate($0) })),
            ]
        )
    }

    private static func sshCertificate(_ key: PublicKey) -> JSONValue {
        let certificate = try? Certificate(key)
        let principals = certificate?.principals ?? []
        return [
            "type": .text(key.algorithm.name), "publicKeyBase64": .base64(key.blob),
            "keyId": .optional(certificate.map { String(decoding: $0.keyID, as: UTF8.self) }),
            "serial": .optional(certificate.map { String($0.serial) }),
            "authority": .optional(certificate.map(\.authority.fingerprint.description)),
            "criticalOptions": .list((certificate?.criticalOptions ?? []).map { .text($0.name) }),
            "extensions": .list((certificate?.extensions ?? []).map { .text($0.name) }),
            "principals": .list(principals.map { .text(String(decoding: $0, as: UTF8.self)) }),
            "validAfterAt": .time(certificate.flatMap { CertificateTime.calendar($0.validAfter) }),
            "validBeforeAt": .time(certificate.flatMap { CertificateTime.calendar($0.validBefore) }),
        ]
    }
}
