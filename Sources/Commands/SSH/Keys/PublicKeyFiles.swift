internal import FileStore
internal import Glibc
internal import Presentation
internal import SSHFormats
internal import System
package import VaultKit
package import VaultLifecycle

/// The public halves on the disk, one `.pub` file for each key: `$XDG_STATE_HOME/hsip/ssh/NAME.pub`.
///
/// There ssh and git can find them even while the vault is locked.
package struct PublicKeyFiles {
    /// The folder of the files, with mode 0700.
    ///
    /// A vault with another name has its own folder below it.
    let folder: String

    package init(_ place: VaultPlace) {
        folder = place.publicKeyFolder
    }

    /// The path of a key's public file.
    func path(of name: String) -> String { "\(folder)/\(name).pub" }

    /// The path of a key's certificate, counted from 0; ssh looks for the first one beside `NAME.pub`.
    ///
    /// The public file of a key never has such a name, because it ends with `.pub`.
    func certificatePath(of name: String, _ number: Int) -> String {
        path(of: name) + "-cert" + (number == 0 ? "" : "-\(number + 1)")
    }

    /// Writes the files of a key's certificates, the latest expiry first, without those whose CA signature is not valid.
    func write(_ certificates: [PublicKey], of name: String) throws {
        let certificates = certificates.filter { (try? Certificate(signed: $0)) != nil }
        try prepare()
        for (number, certificate) in certificates.sorted(by: { Self.end($0) > Self.end($1) }).enumerated() {
            let (path, line) = (certificatePath(of: name, number), certificate.line.oneLine)
            if (try? OwnFile.readKept(path, limit: line.count + 1)) == line { continue }
            try OwnFile.writeKept(line, to: path)
        }
        removeCertificates(of: name, from: certificates.count)
    }

    private func removeCertificates(of name: String, from first: Int = 0) {
        var number = first
        while Path.exists(certificatePath(of: name, number)) {
            Path.remove(certificatePath(of: name, number))
            number += 1
        }
    }

    private static func end(_ key: PublicKey) -> UInt64 {
        (try? Certificate(key))?.validBefore ?? 0
    }

    /// Writes the public file of a key; for a key in the trash, removes it.
    ///
    /// `isFlushed` is false if `flush` follows for many files. Throws `unsafeFile` or `notReadable` for the
    /// folder, and the errors of `OwnFile.writeKept`.
    func write(_ key: KeySummary, isFlushed: Bool = true) throws {
        guard key.removedAt == nil, let line = key.line else {
            remove(key.name)
            return
        }
        try prepare()
        try OwnFile.writeKept(line.oneLine, to: path(of: key.name), isFlushed: isFlushed)
        if key.certificates == 0 { removeCertificates(of: key.name) }
    }

    /// Writes the missing files, after a command was interrupted or the vault came from another machine.
    package func complete(_ keys: [KeySummary]) {
        let there = Set(Path.names(in: folder))
        let missing = keys.filter { $0.removedAt == nil && !there.contains("\($0.name).pub") }
        for key in missing { try? write(key, isFlushed: false) }
        if !missing.isEmpty { flush() }
    }

    /// Flushes the files to the disk.
    func flush() { OwnFile.flush(folder) }

    /// Removes the files of a key, if it has any.
    func remove(_ name: String) {
        guard KeyName.isValid(name) else { return }
        Path.remove(path(of: name))
        removeCertificates(of: name)
    }

    private func prepare() throws {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            guard unsafe mkdir(made, 0o700) != 0 else { continue }
            guard errno == EEXIST else { throw ConsoleError.notReadable }
        }
        guard let mode = Path.mode(folder) else { throw ConsoleError.unsafeFile(.notMine) }
        guard mode & 0o077 == 0 else { throw ConsoleError.unsafeFile(.readableByOthers) }
    }
}

extension Context {
    /// Brings the `.pub` files of keys up to date.
    ///
    /// If a file cannot be written, hsip only warns, because the vault has the key.
    package func publish(_ keys: [KeySummary], gone: [String] = []) throws {
        let files = PublicKeyFiles(try place())
        for name in gone { files.remove(name) }
        // To flush a thousand files one by one would be slower than everything else about them.
        let isMany = keys.count > 8
        defer { if isMany { files.flush() } }
        for key in keys {
            do {
                try files.write(key, isFlushed: !isMany)
            } catch {
                warn(ofUnwritten: key, error)
            }
        }
    }

    /// Brings the certificate files of keys up to date; if a file cannot be written, hsip only warns.
    func publishCertificates(of keys: [KeySummary], from vault: any VaultService) async throws {
        let files = PublicKeyFiles(try place())
        for key in keys where key.certificates > 0 && key.removedAt == nil {
            do {
                try files.write(
                    try await vault(Operations.sshPublicHalf, key.name).certificates,
                    of: key.name
                )
            } catch {
                warn(ofUnwritten: key, error)
            }
        }
    }

    private func warn(ofUnwritten key: KeySummary, _ error: any Error) {
        output.warn(
            Warning(
                "publicFileNotWritten",
                "the file of the public half could not be written: \(Failure(error).message)",
                hint: "hsip ssh key export --public \(ShellWord.quoted(key.name))",
                fields: ["name": .text(key.name)]
            )
        )
    }
}

extension [UInt8] {
    /// The bytes as one line with a line feed at its end: a comment may hold line breaks, a file of keys may not.
    var oneLine: [UInt8] { filter { $0 != 0x0A && $0 != 0x0D } + [0x0A] }
}
