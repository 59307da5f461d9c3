internal import Console
internal import SSHFormats
internal import VaultKit
internal import VaultOpening

/// The objects of Schemas/cli/ssh-key.schema.json.
extension JSONValue {
    /// A key.
    static func sshKey(_ key: KeySummary, _ context: Context) throws -> JSONValue {
        .object(try sshKeyMembers(key, context))
    }

    static func sshKeyMembers(_ key: KeySummary, _ context: Context) throws -> [JSONMember] {
        let isRemoved = key.removedAt != nil
        let file = isRemoved ? nil : PublicKeyFiles(try context.place()).path(of: key.name)
        let members: [(String, JSONValue)] = [
            ("name", .text(key.name)),
            ("fingerprint", .text(key.fingerprint)),
            ("type", .text(key.algorithm.name)),
            ("bits", .optional(key.bits.map { Int64($0) })),
            ("comment", .optional(String(validating: key.comment, as: UTF8.self))),
            ("commentBase64", .base64(key.comment)),
            ("state", isRemoved ? "removed" : .text("\(key.state)")),
            ("origin", .text(key.origin == .openSSH ? "openssh" : "\(key.origin)")),
            ("publicKeyBase64", key.blob.isEmpty ? .null : .base64(key.blob)),
            ("publicFile", .optional(file)),
            ("confirm", .bool(key.use.needsConfirmation)),
            ("lifetimeSeconds", .optional(key.use.lifetime == 0 ? nil : Int64(key.use.lifetime))),
            ("onlyFor", .list(key.use.hosts.map { .text($0) })),
            ("sign", .list(key.use.namespaces.map { .text($0) })),
            ("certificates", .integer(Int64(key.certificates))),
            ("certificateEndsAt", .time(key.certificateEnd.flatMap { CertificateTime.calendar($0) })),
            ("createdAt", .time(Int64(key.created))),
            ("modifiedAt", .time(Int64(key.modified))),
            ("retiredAt", .time(key.retiredAt.map { Int64($0) })),
            ("removedAt", .time(key.removedAt.map { Int64($0) })),
            ("restorableUntilAt", .time(key.removedAt.map { Int64($0) + 30 * 86_400 })),
        ]
        return members.map { JSONMember($0.0, $0.1) }
    }

    /// `ssh key list`.
    static func sshKeys(_ keys: [KeySummary], _ context: Context) throws -> JSONValue {
        ["keys": .list(try keys.map { try .sshKey($0, context) })]
    }
}
