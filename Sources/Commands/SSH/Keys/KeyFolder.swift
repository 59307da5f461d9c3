internal import Glibc
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// A folder of keys as ssh keeps them: `NAME`, `NAME.pub` and, for a certificate, `NAME-cert.pub`.
struct KeyFolder {
    let path: String
    let replaces: Bool

    init(_ path: String, replaces: Bool) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.replaces = replaces
    }

    /// Refuses keys that could not all be written, before any file is written.
    ///
    /// - Throws: `alreadyExists` for a file that exists already, and for a file that two keys would have.
    func check(_ keys: [KeySummary]) throws {
        var taken: Set<String> = []
        for file in keys.flatMap({ files(of: $0.name, certificates: $0.certificates) }) {
            guard taken.insert(file).inserted, replaces || !Path.exists(file) else {
                throw Failure(
                    .alreadyExists,
                    "a file in this folder would be written twice or replaced",
                    hint: "-o OTHER"
                )
            }
        }
    }

    /// Makes the folder with mode 0700, if it does not exist.
    func make() throws {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let code = errno
        if Path.kind(path) == .folder { return }
        guard code == EEXIST else {
            throw code == ENOENT || code == ENOTDIR ? ConsoleError.noSuchFile : ConsoleError.notReadable
        }
        throw Failure(.alreadyExists, "the path is not a folder", hint: "-o OTHER")
    }

    /// Writes the files of one key.
    ///
    /// - Returns: the path of the private key's file.
    func write(
        _ name: String,
        _ record: KeyRecord,
        as format: KeyExport.Format,
        passphrase: Secret?,
        _ context: Context
    ) throws -> String {
        let certificates = record.certificates.sorted { Self.end($0) > Self.end($1) }
        let files = files(of: name, certificates: certificates.count)
        // A handle, or a key of an unknown type, can only be written in the form it was imported in.
        let form = record.key.isUsable ? format : .openssh
        let text = try KeyExport.text(of: record.key, as: form, passphrase: passphrase, context)
        try OwnFile.write(text, to: files[0], force: replaces)
        for (file, key) in zip(files.dropFirst(), [record.publicKey] + certificates) {
            try OwnFile.write(key.line.oneLine, to: file, force: replaces)
        }
        return files[0]
    }

    /// The paths for the private half, the public half and the certificates; ssh reads only the first certificate.
    private func files(of name: String, certificates: Int) -> [String] {
        let start = "\(path)/\(name)"
        let numbers = (0..<certificates).map { $0 == 0 ? "" : "-\($0 + 1)" }
        return [start, start + ".pub"] + numbers.map { "\(start)-cert\($0).pub" }
    }

    private static func end(_ key: PublicKey) -> UInt64 {
        (try? Certificate(key))?.validBefore ?? 0
    }
}
