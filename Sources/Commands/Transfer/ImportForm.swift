package import Secrets

/// The words of `--from`: what other programs hand out, and what is of this one or of ssh.
package enum ImportForm: Hashable {
    case entries(ImportFormat)
    case sshDirectory
    case knownHosts
    case hsip

    /// The form of a text; nil for what is no single text, or is read by another part.
    package var text: ImportFormat? {
        switch self {
        case .entries(.pass), .entries(.secretService), .sshDirectory, .knownHosts, .hsip: nil
        case .entries(let format): format
        }
    }

    /// Whether what it holds is known by lines.
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
