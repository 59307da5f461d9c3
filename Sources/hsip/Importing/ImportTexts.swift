internal import AgentProtocol
internal import Console
internal import Exports
internal import ImportFormats

/// Why an import or an export does not happen, in words.
enum ImportTexts {
    static func explain(_ error: ImportError) -> Failure {
        switch error {
        case .tooLarge:
            failure("tooLarge", "the export is longer than is read, or holds more entries or columns")
        case .tooDeep: failure("malformedInput", "the export is nested deeper than is read")
        case .malformed(let line): failure("malformedInput", "the export ends or breaks in line \(line)")
        case .notText: failure("malformedInput", "the export is not UTF-8")
        case .documentType:
            failure("malformedInput", "the XML defines a document type, which no export needs")
        case .encrypted:
            failure(
                "encryptedImport",
                "this export is encrypted by the program that made it; export it there in the open form",
                hint: "bw export --format json  makes one that can be read"
            )
        case .noPasswordColumn: failure("unknownFormat", "no column of this table is called password")
        case .unknownFormat:
            failure(
                "unknownFormat",
                "this is no export that is known here",
                hint: "hsip help vault import  lists them"
            )
        case .outOfMemory:
            Failure(.unavailable, code: "outOfMemory", message: "there is not enough memory", hint: "free -h")
        }
    }

    static func explain(_ error: ExportError) -> Failure {
        switch error {
        case .malformed: failure("malformedInput", "this is no export of a vault")
        case .unsupportedVersion:
            Failure(
                .malformed,
                code: "unsupportedVersion",
                message: "this export was made by a newer program",
                hint: "update hsip"
            )
        case .wrongPassphrase:
            Failure(.denied, code: "wrongSecret", message: "that is not the passphrase of this export")
        case .tampered:
            Failure(
                .integrity,
                code: "exportTampered",
                message: "this export was changed or cut; nothing of it was taken",
                hint: "copy it again, whole"
            )
        case .tooLarge: failure("tooLarge", "an export holds at most 256 MiB and 200,000 things")
        case .outOfMemory:
            Failure(.unavailable, code: "outOfMemory", message: "there is not enough memory", hint: "free -h")
        }
    }

    /// An export that opens, and holds what this program would not have put in.
    static var unkeepable: Failure {
        failure("malformedInput", "the export holds something that no vault keeps; nothing of it was taken")
    }

    /// An import is one call, so that it is one commit, and an agent takes only so much in one.
    static func tooMuchForAgent(_ source: String?) -> Failure {
        let words = source.map { $0 == "-" ? $0 : ShellWord.path($0) } ?? "--from secret-service"
        return Failure(
            .unavailable,
            code: "requestTooLarge",
            message: "an import by the agent has at most \(FrameLimits.whole >> 20) MiB; nothing was taken",
            hint: "hsip --no-agent vault import \(words)"
        )
    }

    /// Why an entry was not taken.
    static func reason(_ reason: RefusedEntry.Reason) -> String {
        switch reason {
        case .empty: "holds no value"
        case .inTrash: "was in the trash there"
        case .wrongColumns: "has other columns than the header"
        case .unknownKind: "is of a kind without a meaning here"
        case .encrypted: "its values are encrypted"
        case .tooLarge: "is too large"
        case .notText: "its name is not UTF-8"
        case .notOpened: "could not be opened"
        case .ownRecord: "belongs to a vault"
        }
    }

    private static func failure(_ code: String, _ message: String, hint: String? = nil) -> Failure {
        Failure(.malformed, code: code, message: message, hint: hint)
    }
}
