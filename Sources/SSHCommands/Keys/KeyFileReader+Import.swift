internal import Console
internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

extension KeyFileReader {
    /// The key of a file, with what lies beside it.
    ///
    /// `keys` are those in the vault by fingerprint: a certificate alone goes to its key.
    func key(
        _ text: Secret,
        _ file: KeySource,
        named name: String?,
        _ keys: [String: KeySummary]
    ) throws -> KeyImport {
        if case .publicKey = KeyContainer(text), let known = try Self.certified(by: text, keys) {
            return known
        }
        var record = try read(text, ImportReport.shown(file.path, context))
        // Only OpenSSH's own form has room for a comment.
        if record.key.comment.isEmpty, let beside = file.publicKey, beside.isSameKey(as: record.publicKey) {
            record.key.comment = beside.comment
        }
        if let certificate = file.certificate, certificate.plain.isSameKey(as: record.publicKey) {
            try record.add(certificate)
        }
        let comment = String(decoding: record.key.comment, as: UTF8.self)
        let wish = name ?? file.wish ?? KeyName.made(from: comment) ?? "key"
        return KeyImport(record, named: wish, insists: name != nil)
    }

    /// A certificate goes to its key, if that is in the vault.
    private static func certified(
        by text: Secret,
        _ keys: [String: KeySummary]
    ) throws -> KeyImport? {
        let line = text.withBytes { $0.copied() }
        guard let certificate = try? PublicKey(line: line), certificate.algorithm.isCertificate else {
            return nil
        }
        guard let name = keys[certificate.fingerprint.description]?.name else {
            throw Failure(
                .unknownSSHKey,
                "this certificate is for a key that is not in the vault",
                hint: "import the key first"
            )
        }
        return KeyImport(present: certificate, certificates: [certificate], named: name)
    }
}
