internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

/// The result for every file of an import.
struct ImportReport {
    /// The result for one file.
    struct Line {
        let path: String
        let result: Result<KeyImportOutcome, Failure>
    }

    /// The most files that are named; the others are counted.
    private static let named = 8

    var lines: [Line] = []
    /// The files in the folders that are not private keys.
    var skipped: [SkippedFile] = []

    var failures: [(path: String, failure: Failure)] {
        lines.compactMap { line in
            if case .failure(let failure) = line.result { (line.path, failure) } else { nil }
        }
    }

    /// The table for people and scripts.
    func table(_ context: Context) -> Table {
        let columns = [
            Column("file"), Column("result", .left, .wrapped), Column("key", .left, .whole),
            Column("fingerprint", .left, .whole, spare: 1),
        ]
        let rows = lines.map { line in
            let path = line.path == "-" ? Cell("-") : context.path(line.path)
            return switch line.result {
            case .success(let outcome):
                [path, Self.word(outcome), Cell(outcome.key.name), Cell(outcome.key.fingerprint)]
            case .failure(let failure):
                [path, Cell("failed", tone: .danger), Cell(""), Cell(failure.name)]
            }
        }
        return Table(columns, rows: rows)
    }

    /// The data of `ssh key import`.
    func json(_ context: Context) throws -> JSONValue {
        [
            "files": .list(try lines.map { try Self.json($0, context) }),
            "passedOver": .list(
                skipped.map { ["file": .text($0.path), "reason": .text($0.reason.rawValue)] }
            ),
        ]
    }

    /// Names the files that were passed over, except the public halves and certificates beside imported keys.
    func noteWhatIsLeft(_ context: Context) {
        let halves = Set(lines.flatMap { ["\($0.path).pub", "\($0.path)-cert.pub"] })
        let missed = skipped.map(\.path).filter { !halves.contains($0) }
        guard !missed.isEmpty else { return }
        let names = missed.prefix(Self.named).map { path in
            context.output.display.cell(String(path.split(separator: "/").last ?? ""))
        }
        let more = missed.count > names.count ? " and \(missed.count - names.count) more" : ""
        context.output.note("no private key in \(names.joined(separator: ", "))\(more)")
    }

    /// The failure of the only file, or one failure for several files; nil if all were imported.
    func failure(_ context: Context) throws -> Failure? {
        let failures = failures
        guard let first = failures.first else { return nil }
        guard lines.count > 1 else {
            var failure = first.failure
            failure.message = "\(context.shown(file: first.path)): \(failure.message)"
            return failure
        }
        let isAll = failures.count == lines.count
        return Failure(
            .importIncomplete,
            isAll
                ? "none of \(lines.count) files could be imported"
                : "\(failures.count) of \(lines.count) files could not be imported; the others were",
            hint: first.failure.hint,
            details: try json(context),
            lines: failures.map { "\(context.shown(file: $0.path)): \($0.failure.message)" }
        )
    }

    /// The error for a refused certificate: with it, ssh could not read the list of keys.
    static func unsigned(_ error: SSHFormatError) -> Failure {
        let hint = "ssh-keygen -L -f FILE"
        return switch error {
        case .badSignature, .wrongSignatureAlgorithm:
            Failure(.badSignature, "the certificate's signature is not the CA's", hint: hint)
        case .sha1Refused:
            Failure(
                .denied,
                "the CA signed the certificate with SHA-1, which proves nothing any more",
                hint: hint
            )
        default: Failure(error)
        }
    }

    /// The failure, with a hint that names the file.
    static func explain(_ error: any Error, _ path: String) -> Failure {
        var failure = Failure(error)
        // A name that cannot be shown unchanged must not be part of a command to paste.
        let isPlain = path != "-" && path.unicodeScalars.allSatisfy { $0.isASCII && (" "..."~").contains($0) }
        let file = isPlain ? ShellWord.path(path) : "PATH"
        guard let hint = failure.hint else { return failure }
        if hint == "--key-passphrase-file FILE" {
            failure.hint = "hsip ssh key import \(file) \(hint)"
        } else if isPlain, hint.hasPrefix("ssh-keygen "), hint.hasSuffix(" FILE") {
            failure.hint = hint.dropLast("FILE".count) + file
        }
        return failure
    }

    private static func word(_ outcome: KeyImportOutcome) -> Cell {
        switch outcome {
        case .stored(let key):
            key.state == .aside
                ? Cell("kept aside", value: "aside", tone: .soon) : Cell("imported", tone: .good)
        case .known(_, let certificates):
            certificates > 0
                ? Cell("new certificate", value: "certificate", tone: .good)
                : Cell("known already", value: "known", tone: .past)
        case .restored: Cell("from the trash", value: "restored", tone: .good)
        }
    }

    private static func json(_ line: Line, _ context: Context) throws -> JSONValue {
        let path: JSONValue = line.path == "-" ? .null : .text(line.path)
        switch line.result {
        case .success(let outcome):
            return [
                "file": path, "outcome": .text(Self.word(outcome).value),
                "key": try .sshKey(outcome.key, context), "error": .null,
            ]
        case .failure(let failure):
            return [
                "file": path, "outcome": "failed", "key": .null,
                "error": [
                    "code": .text(failure.name), "exit": .integer(failure.exitCode),
                    "message": .text(failure.message), "hint": .optional(failure.hint),
                ],
            ]
        }
    }
}

/// A file of an imported folder that is not a private key: the import leaves it out and names it.
struct SkippedFile {
    /// Why the import leaves it out; the words of Schemas/cli/ssh-key.schema.json.
    enum Reason: String {
        /// The public half of a key, or a certificate.
        case publicKey
        case noKey
        case tooLarge
        /// A folder, a pipe, a socket or a link that leads nowhere.
        case notAFile
    }

    let path: String
    let reason: Reason
}
