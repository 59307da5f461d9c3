/// The check of a key that a host offers, in the order of OpenSSH (`check_host_key` in sshconnect.c).
///
/// A certificate is good if an authority of the name signed it, and it is for this host and time. Every other
/// certificate counts as its plain key. A name with a port that nothing is known of is looked up without the
/// port; what is found there can only bring trust, or a revocation. A revocation beats all else.
///
/// Principals of certificates count as since OpenSSH 10.3: they may be patterns, and none means no host. Stricter
/// than OpenSSH in one place: a key that is revoked under the bare name is revoked where that name is looked up.
public struct HostCheck: Hashable, Sendable, Codable {
    /// The verdict on the key.
    public let verdict: HostVerdict
    /// The reason why a certificate counted as its plain key; nil for other keys and for a good certificate.
    public let refusal: CertificateRefusal?
    /// Whether the verdict comes from the name without its port.
    public let isWithoutPort: Bool

    /// Checks a key, which may be a certificate, among some known hosts; their order decides between equals.
    ///
    /// `time` is seconds since 1970, for the validity of certificates.
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

    /// Whether a key, or the authority behind a certificate, is revoked by one of some lines.
    static func isRevoked(_ key: PublicKey, among hosts: [KnownHost]) -> Bool {
        let authority = (try? Certificate(key))?.authority
        return revocation(of: [key.plain] + [authority].compactMap(\.self), in: hosts) != nil
    }

    /// The verdict on a plain key by the lines of one name.
    private static func verdict(on key: PublicKey, in lines: [KnownHost]) -> HostVerdict {
        if let line = revocation(of: [key], in: lines) { return .revoked(line) }
        let trusted = lines.filter { $0.marker == nil }
        if let line = trusted.first(where: { $0.key.isSameKey(as: key) }) { return .match(line) }
        return trusted.isEmpty ? .new : .changed(trusted: trusted)
    }

    /// The verdict on a certificate; none where its plain key has to be looked up.
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

/// Why a certificate did not speak for a host; its plain key was then looked up like any other.
public enum CertificateRefusal: Hashable, Sendable, Codable {
    /// The certificate cannot be read.
    case unreadable
    /// No authority may certify this host, or not the one that did.
    case unknownAuthority
    /// The right authority, but the certificate is not good for this host and time: for all these reasons.
    case objections([Certificate.Objection])
}

/// What known hosts say to a key that a host offers.
public enum HostVerdict: Hashable, Sendable, Codable {
    /// Nothing is known under the name. Whether to trust the key is a person's decision.
    case new
    /// The key is the one that is known.
    case match(KnownHost)
    /// Other keys are known under the name, whatever their types: these. The connection must not go on.
    case changed(trusted: [KnownHost])
    /// A revoked key or authority, with the line that revokes it.
    case revoked(KnownHost)
    /// A certificate for this host by a trusted authority, with the line that trusts it.
    case certified(KnownHost)

    /// The lines that decided it.
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
