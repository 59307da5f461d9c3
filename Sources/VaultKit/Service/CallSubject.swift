internal import HSIP
internal import SSHFormats

/// An argument that names what an operation is about: a person, a key, a host.
protocol CallSubject {
    /// The name; nil where this value has none. Never content, never a secret.
    var callSubject: String? { get }
}

extension String: CallSubject {
    var callSubject: String? { self }
}

extension HostName: CallSubject {
    var callSubject: String? { lookup }
}

extension NewHost: CallSubject {
    var callSubject: String? { name }
}

extension KeyImport: CallSubject {
    var callSubject: String? { name }
}

extension LegacyImport: CallSubject {
    var callSubject: String? { alias }
}

extension AcceptOptions: CallSubject {
    var callSubject: String? { contact ?? alias }
}

extension Comparison: CallSubject {
    var callSubject: String? { contact.alias }
}

extension PeerID: CallSubject {
    var callSubject: String? { text }
}

extension Optional: CallSubject where Wrapped: CallSubject {
    var callSubject: String? { self?.callSubject }
}

extension Array: CallSubject where Element: CallSubject {
    /// The first, and how many there are when they are several.
    var callSubject: String? {
        guard let first = first?.callSubject else { return nil }
        return count == 1 ? first : "\(first) +\(count - 1)"
    }
}
