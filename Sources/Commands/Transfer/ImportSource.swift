internal import Presentation
package import SecretServiceStore
package import Secrets
package import System
internal import VaultCrypto
internal import VaultLifecycle

/// The source of an import: a file, a folder, stdin, or the session's keyring.
package enum ImportSource {
    /// Entries of another program.
    case entries(ImportDocument)
    /// An export of a vault, still encrypted.
    case export([UInt8])
    /// `~/.ssh` or a folder like it.
    case sshFolder
    /// A known_hosts file.
    case knownHosts
}

/// Reads the source of an import.
package struct ImportReader {
    /// The number of bytes at a file's beginning that show its form.
    private static let beginningSize = 16

    /// The environment for helper programs.
    let environment: Environment
    /// Whether neither hsip nor a helper program may ask the person.
    let asksNothing: Bool
    /// Formats a path for people.
    let shown: (String) -> String
    /// Connects to the session's keyring.
    let keyring: () throws -> SecretService

    package init(
        environment: Environment,
        asksNothing: Bool,
        shown: @escaping (String) -> String,
        keyring: @escaping () throws -> SecretService
    ) {
        (self.environment, self.asksNothing) = (environment, asksNothing)
        (self.shown, self.keyring) = (shown, keyring)
    }

    /// Reads the named source, in the given form or in the form that its content shows.
    ///
    /// - Returns: The form, and the source.
    package func read(_ path: String?, as form: ImportForm?) throws -> (ImportForm, ImportSource) {
        if form == .entries(.secretService) {
            return (.entries(.secretService), .entries(try KeyringItems(try keyring()).read()))
        }
        guard let path else {
            throw Failure.usage("name the file or folder to import", hint: "hsip vault import FILE")
        }
        guard path == "-" || Path.kind(path) != .folder else { return try folder(path, as: form) }
        switch form {
        case .entries(.pass), .sshDirectory:
            throw Failure(.malformedInput, "\(form?.title ?? "") must be a folder, not a file")
        case .knownHosts: return (.knownHosts, .knownHosts)
        default: return try file(path, as: form)
        }
    }

    private func folder(
        _ path: String,
        as form: ImportForm?
    ) throws -> (ImportForm, ImportSource) {
        switch form ?? guess(ofFolder: path) {
        case .entries(.pass):
            let folder = PassFolder(path, environment, asksNothing: asksNothing, refusal: refusal)
            return (.entries(.pass), .entries(try folder.read()))
        case .sshDirectory: return (.sshDirectory, .sshFolder)
        case let other?:
            throw Failure(.malformedInput, "\(other.title) must be a file, not a folder")
        case nil:
            throw Failure(
                .unknownFormat,
                "the folder is neither a pass folder nor an ssh folder",
                hint: "hsip vault import FILE"
            )
        }
    }

    private func guess(ofFolder path: String) -> ImportForm? {
        let names = Path.names(in: path)
        if names.contains(".gpg-id") { return .entries(.pass) }
        if names.contains("known_hosts") || names.contains(where: { $0.hasPrefix("id_") }) {
            return .sshDirectory
        }
        return names.contains { $0.hasSuffix(".gpg") } ? .entries(.pass) : nil
    }

    private func file(
        _ path: String,
        as form: ImportForm?
    ) throws -> (ImportForm, ImportSource) {
        if form == nil, path.split(separator: "/").last == "known_hosts" { return (.knownHosts, .knownHosts) }
        try refuseLongZip(path)
        let text = try reading(path) { () throws(ConsoleError) in
            try OwnFile.readSecret(path, limit: try limit(of: path, as: form))
        }
        let beginning = text.withBytes { $0.extracting(0..<min(Self.beginningSize, $0.byteCount)).copied() }
        if form == .hsip || form == nil && ExportReader.isExport(beginning) {
            return (.hsip, .export(text.withBytes { $0.copied() }))
        }
        if ZipKind.isZip(beginning) { throw ZipKind(text).refusal(of: path) }
        try refuse(beginning)
        do throws(ImportError) {
            let document = try ImportDocument(reading: text, as: form?.text)
            return (.entries(document.format), .entries(document))
        } catch .empty where path == "-" {
            throw Failure(.emptyImport, "nothing arrived; did the program before the pipe fail?")
        } catch {
            throw ImportTexts.explain(error)
        }
    }

    /// The most bytes to read of a file: a vault's export may be longer than the exports of other programs.
    ///
    /// - Throws: `tooLarge` for a longer file, before it is read.
    private func limit(of path: String, as form: ImportForm?) throws(ConsoleError) -> Int {
        var isExport = form == .hsip || form == nil
        // The content of a pipe can be read only once.
        if form == nil, path != "-", Path.kind(path) == .file {
            isExport = ExportReader.isExport(try beginning(of: path))
        }
        let limit = isExport ? ExportLimits.file : ImportLimits.document
        guard Path.size(path) ?? 0 <= limit else { throw .tooLarge(limit: limit) }
        return limit
    }

    private func beginning(of path: String) throws(ConsoleError) -> [UInt8] {
        try OwnFile.opened(path).use { (file) throws(ConsoleError) in try file.read(upTo: Self.beginningSize)
        }
    }

    /// Refuses a long ZIP file before it is read: it may hold attachments of any size.
    private func refuseLongZip(_ path: String) throws {
        guard path != "-", Path.kind(path) == .file, Path.size(path) ?? 0 > ImportLimits.document else {
            return
        }
        let beginning: [UInt8] = try reading(path) { () throws(ConsoleError) in
            try self.beginning(of: path)
        }
        if ZipKind.isZip(beginning) { throw ZipKind(path: path).refusal(of: path) }
    }

    /// Refuses forms that another command must decrypt, export or import.
    private func refuse(_ beginning: [UInt8]) throws(Failure) {
        if beginning.starts(with: [0x03, 0xD9, 0xA2, 0x9A]) {
            throw Failure(
                .encryptedImport,
                "the file is a KeePass database; export it first",
                hint: "keepassxc-cli export --format xml FILE | hsip vault import -"
            )
        }
        if beginning.starts(with: Array("-----BEGIN PGP M".utf8)) {
            throw Failure(
                .encryptedImport,
                "the file is encrypted with PGP",
                hint: "gpg --decrypt FILE | hsip vault import -"
            )
        }
        if beginning.starts(with: Array("-----BEGIN ".utf8)) {
            throw Failure(.unknownFormat, "the file is a key", hint: "hsip ssh key import FILE")
        }
    }

    /// Reads a file; an error names the file.
    package func reading<R: ~Copyable>(
        _ path: String,
        _ body: () throws(ProgramError) -> R
    ) throws -> R {
        do throws(ConsoleError) {
            return try body()
        } catch {
            if case .interrupted = error { throw error }
            throw refusal(error, path)
        }
    }

    private func refusal(_ error: ConsoleError, _ path: String) -> Failure {
        var failure = Failure(error)
        failure.message = "\(shown(path)): \(failure.message)"
        return failure
    }
}
