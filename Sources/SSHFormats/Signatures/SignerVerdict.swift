/// Whether a key may sign under a name, for a namespace, at a time.
public enum SignerVerdict: Hashable, Sendable {
    /// It may, by the line of this number, counted from 1.
    case allowed(line: Int)
    /// No line lets it; the reason of the last line with this name and key, if there is one.
    case refused(Reason?)

    /// Why a line with the name and the key does not let it sign.
    public enum Reason: Hashable, Sendable {
        /// The line is for other namespaces.
        case otherNamespace
        /// The line, or the certificate, is valid later only.
        case notYetValid
        /// The line, or the certificate, was valid earlier only.
        case expired
        /// The certificate is for hosts.
        case hostCertificate
        /// The certificate does not name who signs.
        case otherPrincipals
    }

    /// Whether it may.
    public var isAllowed: Bool {
        if case .allowed = self { true } else { false }
    }
}
