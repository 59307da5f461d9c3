internal import VaultCrypto

/// A format in which other programs export their data.
public enum ImportFormat: String, CaseIterable, Sendable, Codable {
    /// KeePass 2 and KeePassXC, unencrypted XML.
    case kdbxXML = "kdbx-xml"
    /// KeePassXC, CSV with its own columns.
    case keepassxcCSV = "keepassxc-csv"
    /// Bitwarden, unencrypted JSON.
    case bitwarden
    /// 1Password: the file `export.data` of a 1PUX file.
    case onePassword = "1password"
    /// Proton Pass: the file `data.json` of its ZIP file, unencrypted.
    case protonPass = "proton-pass"
    /// The password tables of Chrome, Edge, Firefox and Safari.
    case browserCSV = "browser-csv"
    /// Any table with a header that names a column of passwords.
    case csv
    /// A folder of the program `pass`.
    case pass
    /// Items of the login keyring, or of another Secret Service.
    case secretService = "secret-service"

    /// The name that people use.
    public var title: String {
        switch self {
        case .kdbxXML: "KeePass XML"
        case .keepassxcCSV: "KeePassXC CSV"
        case .bitwarden: "Bitwarden JSON"
        case .onePassword: "1Password's export.data"
        case .protonPass: "Proton Pass JSON"
        case .browserCSV: "a browser's CSV"
        case .csv: "CSV"
        case .pass: "a pass folder"
        case .secretService: "the passwords of a keyring"
        }
    }
}

/// The reason why an export cannot be read; it never contains content of the export.
public enum ImportError: Error, Equatable, Sendable {
    /// The export is empty or has only blanks.
    case empty
    /// The export is longer than `ImportLimits.document`, or has too many entries, columns or values.
    case tooLarge
    /// The nesting is deeper than `ImportLimits.depth`.
    case tooDeep
    /// The export does not fit its format; the line where reading stopped, from 1.
    case malformed(line: Int)
    /// The text is not UTF-8.
    case notText
    /// The XML has a document type, which could define entities; no export has one.
    case documentType
    /// The exporting program has encrypted the export.
    case encrypted
    /// The table has no column of passwords.
    case noPasswordColumn
    /// The format is unknown.
    case unknownFormat
    /// No locked memory was available.
    case outOfMemory

    init(_ error: CryptoError) { self = .outOfMemory }
}
