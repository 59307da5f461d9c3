package import Secrets

/// The values of `--from`: the forms of other programs, of hsip and of ssh.
package enum ImportForm: Hashable {
    case entries(ImportFormat)
    case sshDirectory
    case knownHosts
    case hsip

    /// The format of a single text; nil for other forms, which have their own readers.
    package var text: ImportFormat? {
        switch self {
        case .entries(.pass), .entries(.secretService), .sshDirectory, .knownHosts, .hsip: nil
        case .entries(let format): format
        }
    }

    /// Whether the form is a table, so that its entries are numbered as lines.
    package var isTable: Bool {
        switch self {
        case .entries(.csv), .entries(.browserCSV), .entries(.keepassxcCSV): true
        default: false
        }
    }

    /// The form in words.
    package var title: String {
        switch self {
        case .entries(let format): format.title
        case .sshDirectory: "a folder of ssh"
        case .knownHosts: "a known_hosts file"
        case .hsip: "an export of a vault"
        }
    }
}

extension ImportForm: RawRepresentable, CaseIterable {
    package static let allCases =
        ImportFormat.allCases.map { entries($0) } + [sshDirectory, knownHosts, hsip]

    package init?(rawValue: String) {
        guard let form = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = form
    }

    package var rawValue: String {
        switch self {
        case .entries(.secretService): "keyring"
        case .entries(let format): format.rawValue
        case .sshDirectory: "ssh-dir"
        case .knownHosts: "known-hosts"
        case .hsip: "hsip"
        }
    }
}
