internal import VaultCrypto

/// A form in which other programs hand out what they keep.
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

    /// As people call it.
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

/// Why a whole export is not read; the reason never contains its content.
public enum ImportError: Error, Equatable, Sendable {
    /// The export is empty or has only blanks.
    case empty
    /// Longer than `ImportLimits.document`, or with more entries, columns or values than are read.
    case tooLarge
    /// Nested deeper than `ImportLimits.depth`.
    case tooDeep
    /// The export does not fit its format; the line where reading stopped, from 1.
    case malformed(line: Int)
    /// Not UTF-8.
    case notText
    /// An XML text with a document type: it could define entities, and no export has one.
    case documentType
    /// The export is encrypted by the program that made it.
    case encrypted
    /// A table without a column of passwords.
    case noPasswordColumn
    /// No form that is known here.
    case unknownFormat
    /// The system has no locked memory left.
    case outOfMemory

    init(_ error: CryptoError) { self = .outOfMemory }
}
