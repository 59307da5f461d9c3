/// Why a certificate did not speak for a host; its plain key was then looked up like any other.
public enum CertificateRefusal: Hashable, Sendable, Codable {
    /// The certificate cannot be read.
    case unreadable
    /// No authority may certify this host, or not the one that did.
    case unknownAuthority
    /// The right authority, but the certificate is not good for this host and time: for all these reasons.
    case objections([Certificate.Objection])
}
