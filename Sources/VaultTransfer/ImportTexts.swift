internal import Console
internal import Exports
internal import ImportFormats
internal import Presentation

/// Why an import or an export does not happen, in words.
enum ImportTexts {
    static func explain(_ error: ImportError) -> Failure {
        switch error {
        case .empty: Failure(.emptyImport, "the file is empty")
        case .tooLarge:
            Failure(.tooLarge, "the export is too long, or has too many entries or columns")
        case .tooDeep: Failure(.malformedInput, "the export is nested too deep")
        case .malformed(let line): Failure(.malformedInput, "the export is cut or broken in line \(line)")
        case .notText: Failure(.malformedInput, "the export is not UTF-8")
        case .documentType:
            Failure(.malformedInput, "the XML defines a document type, which no export needs")
        case .encrypted:
            Failure(
                .encryptedImport,
                "the export is encrypted by its program; export again without encryption",
                hint: "bw export --format json  is not encrypted"
            )
        case .noPasswordColumn: Failure(.unknownFormat, "no column is called password")
        case .unknownFormat:
            Failure(
                .unknownFormat,
                "hsip does not know this export format",
                hint: "hsip help vault import  lists the formats"
            )
        case .outOfMemory:
            Failure(.outOfMemory, "not enough memory", hint: "free -h")
        }
    }

    static func explain(_ error: ExportError) -> Failure {
        switch error {
        case .malformed: Failure(.malformedInput, "the file is not an hsip export")
        case .unsupportedVersion:
            Failure(.unsupportedVersion, "a newer hsip made this export", hint: "update hsip")
        case .wrongPassphrase:
            Failure(.wrongSecret, "wrong passphrase for this export")
        case .tampered:
            Failure(
                .exportTampered,
                "the export was changed or cut; nothing was imported",
                hint: "copy it again, whole"
            )
        case .tooLarge: Failure(.tooLarge, "the export has more than 256 MiB or 200,000 records")
        case .outOfMemory:
            Failure(.outOfMemory, "not enough memory", hint: "free -h")
        }
    }

    /// An export that opens, and holds what this program would not have put in.
    static var unkeepable: Failure {
        Failure(.malformedInput, "the export has a record that no vault can keep; nothing was imported")
    }

    /// What became of a part of an entry.
    static func leftOut(_ part: OmittedPart) -> String {
        switch part {
        case .attachments: "attachment not imported"
        case .history: "earlier values not imported"
        case .passkey: "passkey not imported"
        case .columns: "more values than columns, kept as text"
        case .reference: "{REF:…} without a target, kept as text"
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
            "the file is \(what); import its content through a pipe",
            hint: "unzip -p \(file) \(part)"
        )
    }

    /// Why an entry was not taken.
    static func reason(_ reason: RefusedEntry.Reason) -> String {
        switch reason {
        case .empty: "has no value"
        case .onlyFiles: "is a file, which the export does not contain"
        case .inTrash: "was in the trash there"
        case .archived: "was archived there"
        case .unknownKind: "is of a kind that hsip does not know"
        case .encrypted: "its values are encrypted"
        case .tooLarge: "is too large"
        case .notText: "its name is not UTF-8"
        case .notOpened: "could not be opened"
        case .ownRecord: "belongs to a vault"
        }
    }
}
