internal import SSHFormats
package import VaultKit

/// The objects of Schemas/cli/ssh-key.schema.json.
extension JSONValue {
    /// Returns a key; `folder` has the published public halves.
    package static func sshKey(_ key: KeySummary, publishedIn folder: String) -> JSONValue {
        let isRemoved = key.removedAt != nil
        return [
            "name": .text(key.name), "fingerprint": .text(key.fingerprint),
            "type": .text(key.algorithm.name), "bits": .optional(key.bits),
            "comment": .optional(String(validating: key.comment, as: UTF8.self)),
            "commentBase64": .base64(key.comment),
            "state": isRemoved ? "removed" : .text(key.state.word),
            "origin": .text(key.origin.word.lowercased()),
            "publicKeyBase64": key.blob.isEmpty ? .null : .base64(key.blob),
            "publicFile": isRemoved ? .null : .text("\(folder)/\(key.name).pub"),
            "confirm": .bool(key.use.needsConfirmation), "local": .bool(key.use.isLocal),
            "lifetimeSeconds": key.use.lifetime == 0 ? .null : .integer(key.use.lifetime),
            "onlyFor": .texts(key.use.hosts), "sign": .texts(key.use.namespaces),
            "certificates": .integer(key.certificates), "certificateEndsAt": .time(key.certificateEndAt),
            "createdAt": .time(key.created), "modifiedAt": .time(key.modified),
            "retiredAt": .time(key.retiredAt), "removedAt": .time(key.removedAt),
            "restorableUntilAt": .time(key.removedAt.map { TrashPolicy.end(removedAt: $0) }),
        ]
    }

    /// Returns the result of `ssh key list`.
    package static func sshKeys(_ keys: [KeySummary], publishedIn folder: String) -> JSONValue {
        ["keys": .list(keys.map { .sshKey($0, publishedIn: folder) })]
    }

    /// Returns the result of `ssh key show`: everything except the private half.
    package static func sshKeyDetails(_ half: PublicHalf, publishedIn folder: String) -> JSONValue {
        .sshKey(half.summary, publishedIn: folder).with([
            "md5": .text(Fingerprint(of: half.publicKey, .md5).description),
            "randomart": .texts(Randomart.lines(of: half.publicKey)),
            "hadPassphrase": .bool(half.hadPassphrase),
            "certificateKeys": .list(half.certificates.map { .sshCertificate($0) }),
        ])
    }

    private static func sshCertificate(_ key: PublicKey) -> JSONValue {
        let certificate = try? Certificate(key)
        let principals = certificate?.principals ?? []
        return [
            "type": .text(key.algorithm.name), "publicKeyBase64": .base64(key.blob),
            "keyId": .optional(certificate.map { String(decoding: $0.keyID, as: UTF8.self) }),
            "serial": .optional(certificate.map { String($0.serial) }),
            "authority": .optional(certificate?.authority.fingerprint.description),
            "criticalOptions": .texts((certificate?.criticalOptions ?? []).map(\.name)),
            "extensions": .texts((certificate?.extensions ?? []).map(\.name)),
            "principals": .texts(principals.map { String(decoding: $0, as: UTF8.self) }),
            "validAfterAt": .time(certificate.flatMap { CertificateTime.calendar($0.validAfter) }),
            "validBeforeAt": .time(certificate.flatMap { CertificateTime.calendar($0.validBefore) }),
        ]
    }
}

/// The validity of certificates, and the time for a warning.
package enum CertificateTime {
    /// The number of seconds before its end from which a certificate causes a warning.
    package static let ahead: Int64 = 7 * 86_400

    /// Returns a time that a calendar can show; nil for no end.
    package static func calendar(_ time: UInt64) -> Int64? {
        time < 253_402_300_800 ? Int64(time) : nil
    }

    /// Returns the keys in use whose certificate has expired or soon will, with the times.
    package static func due(_ keys: [KeySummary], now: Int64) -> [(key: KeySummary, end: Int64)] {
        keys.filter(\.isInUse).compactMap { key in
            guard let end = key.certificateEndAt, end <= now + ahead else { return nil }
            return (key, end)
        }
    }

    /// Returns the name of the warning for scripts.
    package static func code(of end: Int64, now: Int64) -> String {
        end <= now ? "certificateExpired" : "certificateExpiring"
    }
}

extension KeySummary {
    /// The time when the first certificate expires, if a calendar can show it.
    package var certificateEndAt: Int64? { certificateEnd.flatMap { CertificateTime.calendar($0) } }
}
