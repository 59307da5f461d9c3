internal import Console
internal import Exports
internal import ImportFormats
internal import Presentation

/// Why an import or an export does not happen, in words.
enum ImportTexts {
    static func explain(_ error: ImportError) -> Failure {
        switch error {
        case .empty: Failure(.emptyImport, "there is nothing in it")
        case .tooLarge:
            Failure(.tooLarge, "the export is longer than is read, or holds more entries or columns")
        case .tooDeep: Failure(.malformedInput, "the export is nested deeper than is read")
        case .malformed(let line): Failure(.malformedInput, "the export ends or breaks in line \(line)")
        case .notText: Failure(.malformedInput, "the export is not UTF-8")
        case .documentType:
            Failure(.malformedInput, "the XML defines a document type, which no export needs")
        case .encrypted:
            Failure(
                .encryptedImport,
                "this export is encrypted by the program that made it; export it there without encryption",
                hint: "bw export --format json  makes one that can be read"
            )
        case .noPasswordColumn: Failure(.unknownFormat, "no column of this table is called password")
        case .unknownFormat:
            Failure(
                .unknownFormat,
                "this is no export that is known here",
                hint: "hsip help vault import  lists them"
            )
        case .outOfMemory:
            Failure(.outOfMemory, "there is not enough memory", hint: "free -h")
        }
    }

    static func explain(_ error: ExportError) -> Failure {
        switch error {
        case .malformed: Failure(.malformedInput, "this is no export of a vault")
        case .unsupportedVersion:
            Failure(.unsupportedVersion, "this export was made by a newer program", hint: "update hsip")
        case .wrongPassphrase:
            Failure(.wrongSecret, "that is not the passphrase of this export")
        case .tampered:
            Failure(
                .exportTampered,
                "this export was changed or cut; nothing of it was taken",
                hint: "copy it again, whole"
            )
        case .tooLarge: Failure(.tooLarge, "an export holds at most 256 MiB and 200,000 things")
        case .outOfMemory:
            Failure(.outOfMemory, "there is not enough memory", hint: "free -h")
        }
    }

    /// An export that opens, and holds what this program would not have put in.
    static var unkeepable: Failure {
        Failure(.malformedInput, "the export holds something that no vault keeps; nothing of it was taken")
    }

    /// What became of a part of an entry.
    static func leftOut(_ part: OmittedPart) -> String {
        switch part {
        case .attachments: "attachment stays behind"
        case .history: "earlier values stay behind"
        case .passkey: "passkey stays behind"
        case .columns: "more values than columns, kept as text"
        case .reference: "{REF:…} leads nowhere, kept as text"
        case .oneTimeKey: "code in an unknown form, kept as text"
        case .sshKey: "SSH key not read, kept as text"
        }
    }

    /// An export in a ZIP file: its parts are read one by one, out of a pipe.
    static func zipped(_ path: String, _ kind: ZipKind) -> Failure {
        let file = path == "-" ? "FILE" : ShellWord.path(path)
        let (what, part) =
            switch kind {
            case .onePassword: ("a ZIP file of 1Password (1PUX)", "export.data | hsip vault import -")
            case .protonPass: ("a ZIP file of Proton Pass", "'Proton Pass/data.json' | hsip vault import -")
            case .protonPassSealed:
                (
                    "an encrypted ZIP file of Proton Pass",
                    "'Proton Pass/data.pgp' | gpg --decrypt | hsip vault import -"
                )
            case .bitwarden: ("a ZIP file of Bitwarden", "data.json | hsip vault import -")
            case .other: ("a ZIP file", "NAME | hsip vault import -")
            }
        return Failure(
            .zippedImport,
            "this is \(what); what is in it is imported by a pipe",
            hint: "unzip -p \(file) \(part)"
        )
    }

    /// Why an entry was not taken.
    static func reason(_ reason: RefusedEntry.Reason) -> String {
        switch reason {
        case .empty: "holds no value"
        case .onlyFiles: "is a file, which is not in this"
        case .inTrash: "was in the trash there"
        case .archived: "was archived there"
        case .unknownKind: "is of a kind without a meaning here"
        case .encrypted: "its values are encrypted"
        case .tooLarge: "is too large"
        case .notText: "its name is not UTF-8"
        case .notOpened: "could not be opened"
        case .ownRecord: "belongs to a vault"
        }
    }
}
