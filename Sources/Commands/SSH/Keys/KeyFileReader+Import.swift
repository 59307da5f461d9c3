internal import Presentation
package import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultKit

extension KeyFileReader {
    /// Calls `body` with every private key of a folder and its preferred name.
    ///
    /// - Throws: the error of reading a key, or of `body`, with the file's name.
    package func forEachKey(in folder: String, _ body: (KeyRecord, String) throws -> Void) throws {
        for file in try KeySource.all([folder]) {
            guard case .key(let text) = try file.content() else { continue }
            do {
                if let bad = file.badCertificate { throw ImportReport.unsigned(bad.reason) }
                let key = try key(text, file, named: nil, [:])
                guard case .key(let record) = key.content else { continue }
                try body(record, key.name)
            } catch ConsoleError.interrupted(let signal) {
                throw ConsoleError.interrupted(signal: signal)
            } catch {
                var failure = ImportReport.explain(error, file.path)
                let name = context.shown(file: file.path)
                failure.message = "\(name): \(failure.message); nothing was imported"
                failure.hint =
                    failure.hint ?? "hsip ssh key import \(ShellWord.path(folder))  imports the others"
                throw failure
            }
        }
    }

    /// The key of a file, with the comment and the certificate from the files beside it.
    ///
    /// `keys` are the vault's keys by fingerprint: if the file is only a certificate, it is added to its key.
    func key(
        _ text: Secret,
        _ file: KeySource,
        named name: String?,
        _ keys: [String: KeySummary]
    ) throws -> KeyImport {
        if case .publicKey = KeyContainer(text), let known = try Self.certified(by: text, keys) {
            return known
        }
        var record = try read(text, context.shown(file: file.path))
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

    /// The import of a certificate file, for its key in the vault; nil if the text is not a certificate.
    private static func certified(
        by text: Secret,
        _ keys: [String: KeySummary]
    ) throws -> KeyImport? {
        let line = text.withBytes { $0.copied() }
        guard let certificate = try? PublicKey(line: line), certificate.algorithm.isCertificate else {
            return nil
        }
        do throws(SSHFormatError) { _ = try Certificate(signed: certificate) } catch {
            throw ImportReport.unsigned(error)
        }
        guard let name = keys[certificate.fingerprint.description]?.name else {
            throw Failure(
                .unknownSSHKey,
                "the certificate's key is not in the vault",
                hint: "hsip ssh key import FILE  imports the key"
            )
        }
        return KeyImport(present: certificate, certificates: [certificate], named: name)
    }
}
