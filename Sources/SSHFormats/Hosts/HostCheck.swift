/// The check of a key that a host offers, in the order of OpenSSH (`check_host_key` in sshconnect.c).
///
/// A certificate is valid if a trusted authority of the name signed it for this host and time. Any other certificate
/// is checked as its plain key. If nothing is known about a name with a port, the name without the port is looked up;
/// its lines can only lead to trust or a revocation. A revocation overrides everything else.
///
/// Principals have their meaning since OpenSSH 10.3: they may be patterns, and an empty list matches no host. One
/// rule is stricter than in OpenSSH: a key that is revoked for the bare name is also revoked when that name is looked
/// up.
public struct HostCheck: Hashable, Sendable, Codable {
    /// The verdict on the key.
    public let verdict: HostVerdict
    /// The reason why a certificate was checked as its plain key; nil for other keys and for a valid certificate.
    public let refusal: CertificateRefusal?
    /// Whether the verdict comes from the name without its port.
    public let isWithoutPort: Bool

    /// Checks a key or a certificate against known hosts; among equal lines the first one decides.
    ///
    /// `time` is a Unix time in seconds, for the validity of certificates.
    public init(
        _ key: PublicKey,
        for name: HostName,
        among hosts: some Sequence<KnownHost>,
        at time: UInt64
    ) {
        let hosts = Array(hosts)
        var refusal: CertificateRefusal?
        if key.algorithm.isCertificate {
            let answer = Self.certified(key, for: name, among: hosts, at: time)
            if let verdict = answer.verdict {
                self = HostCheck(verdict, answer.refusal, isWithoutPort: answer.isWithoutPort)
                return
            }
            refusal = answer.refusal
        }
        let plain = key.plain
        let verdict = Self.verdict(on: plain, in: Self.lines(for: name, among: hosts))
        if verdict == .new, let bare = name.withoutPort {
            let second = Self.verdict(on: plain, in: Self.lines(for: bare, among: hosts))
            switch second {
            case .match, .revoked, .certified:
                self = HostCheck(second, refusal, isWithoutPort: true)
                return
            case .new, .changed: break
            }
        }
        self = HostCheck(verdict, refusal, isWithoutPort: false)
    }

    private init(_ verdict: HostVerdict, _ refusal: CertificateRefusal?, isWithoutPort: Bool) {
        self.verdict = verdict
        self.refusal = refusal
        self.isWithoutPort = isWithoutPort
    }

    /// Returns whether any of the lines revokes a key, or the authority of a certificate.
    static func isRevoked(_ key: PublicKey, among hosts: [KnownHost]) -> Bool {
        let authority = (try? Certificate(key))?.authority
        return revocation(of: [key.plain] + [authority].compactMap(\.self), in: hosts) != nil
    }

    /// Returns the verdict on a plain key according to the lines of one name.
    private static func verdict(on key: PublicKey, in lines: [KnownHost]) -> HostVerdict {
        if let line = revocation(of: [key], in: lines) { return .revoked(line) }
        let trusted = lines.filter { $0.marker == nil }
        if let line = trusted.first(where: { $0.key.isSameKey(as: key) }) { return .match(line) }
        return trusted.isEmpty ? .new : .changed(trusted: trusted)
    }

    /// Returns the verdict on a certificate; nil if its plain key has to be looked up.
    private static func certified(
        _ key: PublicKey,
        for name: HostName,
        among hosts: [KnownHost],
        at time: UInt64
    ) -> (verdict: HostVerdict?, refusal: CertificateRefusal?, isWithoutPort: Bool) {
        guard let certificate = try? Certificate(key) else { return (nil, .unreadable, false) }
        let authority = certificate.authority
        for candidate in [name, name.withoutPort].compactMap(\.self) {
            let lines = lines(for: candidate, among: hosts)
            let isWithoutPort = candidate != name
            if let line = revocation(of: [key.plain, authority], in: lines) {
                return (.revoked(line), nil, isWithoutPort)
            }
            let found = lines.first { $0.marker == .authority && $0.key.isSameKey(as: authority) }
            guard let line = found else { continue }
            let objections = certificate.objections(as: .host, for: Array(name.name.utf8), at: time)
            guard objections.isEmpty else { return (nil, .objections(objections), false) }
            return (.certified(line), nil, isWithoutPort)
        }
        return (nil, .unknownAuthority, false)
    }

    private static func revocation(of keys: [PublicKey], in lines: [KnownHost]) -> KnownHost? {
        lines.first { line in
            line.marker == .revoked && keys.contains { $0.isSameKey(as: line.key.plain) }
        }
    }

    private static func lines(for name: HostName, among hosts: [KnownHost]) -> [KnownHost] {
        let lookup = Array(name.lookup.utf8)
        return hosts.filter { $0.names.matches(lookup: lookup) }
    }
}

/// The reason why a certificate was not accepted for a host.
///
/// Its plain key was then checked like any other.
public enum CertificateRefusal: Hashable, Sendable, Codable {
    /// The certificate cannot be read.
    case unreadable
    /// No trusted authority may certify this host, or another one signed the certificate.
    case unknownAuthority
    /// The authority is trusted, but the certificate is not valid for this host and time, for all these reasons.
    case objections([Certificate.Objection])
}

/// The verdict of known hosts on a key that a host offers.
public enum HostVerdict: Hashable, Sendable, Codable {
    /// The name is unknown.
    ///
    /// A person must decide whether to trust the key.
    case new
    /// The key is the known key.
    case match(KnownHost)
    /// The name has these other keys, of any type.
    ///
    /// The connection must be refused.
    case changed(trusted: [KnownHost])
    /// A revoked key or authority, with the line that revokes it.
    case revoked(KnownHost)
    /// A certificate for this host by a trusted authority, with the line that trusts the authority.
    case certified(KnownHost)

    /// The lines that led to the verdict.
    public var lines: [KnownHost] {
        switch self {
        case .new: []
        case .match(let line), .revoked(let line), .certified(let line): [line]
        case .changed(let trusted): trusted
        }
    }

    /// Whether a connection may go on without asking anyone.
    public var isTrusted: Bool {
        switch self {
        case .match, .certified: true
        case .new, .changed, .revoked: false
        }
    }
}
