internal import Presentation
internal import Secrets

/// Explains why an import fails.
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

    /// The failure for an export that can be opened but holds content that this program would not have written.
    static var unkeepable: Failure {
        Failure(.malformedInput, "the export has a record that no vault can keep; nothing was imported")
    }
}
