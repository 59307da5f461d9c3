/// A file of allowed_signers: whose signatures count.
///
/// A line that cannot be read, or has an option that is not known, lets no one sign; the others still count.
public struct AllowedSigners: Equatable, Sendable {
    /// A line that lets a person sign.
    public struct Entry: Hashable, Sendable {
        /// Its number, counted from 1.
        public let line: Int
        /// The content of the line.
        public let signer: AllowedSigner
    }

    /// An unreadable line.
    public struct Fault: Equatable, Sendable {
        /// Its number, counted from 1.
        public let line: Int
        /// Why not.
        public let error: SSHFormatError
    }

    /// The lines that count, first to last.
    public let entries: [Entry]
    /// The lines that do not, though they are neither blank nor comments.
    public let faults: [Fault]
    private let localToUTC: @Sendable (Int64) -> Int64

    /// Reads a file.
    ///
    /// `localToUTC` turns what a local clock shows, counted in seconds from 1970 on that clock, into seconds
    /// since 1970 in UTC; times without `Z` mean that clock.
    public init(_ bytes: [UInt8], localToUTC: @escaping @Sendable (Int64) -> Int64 = { $0 }) {
        var entries: [Entry] = []
        var faults: [Fault] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            do throws(SSHFormatError) {
                guard let signer = try AllowedSigner.read(Array(line)) else { continue }
                entries.append(Entry(line: index + 1, signer: signer))
            } catch {
                faults.append(Fault(line: index + 1, error: error))
            }
        }
        self.entries = entries
        self.faults = faults
        self.localToUTC = localToUTC
    }

    /// Whether a signature of a message is good, and its key may sign under this name.
    ///
    /// `time` is seconds since 1970: when the signature was made, as far as the caller can know.
    ///
    /// - Throws: what `FileSignature.verify` throws; then the signature is worth nothing.
    public func verify(
        _ signature: FileSignature,
        of message: [UInt8],
        by principal: [UInt8],
        namespace: [UInt8],
        at time: UInt64
    ) throws(SSHFormatError) -> SignerVerdict {
        try signature.verify(message, namespace: namespace)
        return verdict(on: signature.key, principal: principal, namespace: namespace, at: time)
    }

    /// Whether a key, which may be a certificate, may sign under this name.
    ///
    /// That the signature is good is not asked here.
    public func verdict(
        on key: PublicKey,
        principal: [UInt8],
        namespace: [UInt8],
        at time: UInt64
    ) -> SignerVerdict {
        let certificate = Self.certificate(key)
        var reason: SignerVerdict.Reason?
        for entry in entries {
            let signer = entry.signer
            guard PatternList.answer(signer.principals, to: principal, ignoringCase: false) == .match,
                signer.isFor(key, certificate)
            else { continue }
            reason = refusal(by: signer, certificate, principal, namespace, time)
            if reason == nil { return .allowed(line: entry.line) }
        }
        return .refused(reason)
    }

    /// The names under which a key may sign at a time, as the first line with the key says them.
    ///
    /// As `ssh-keygen -Y find-principals`: patterns are not resolved, except by the names in a certificate.
    public func principals(of key: PublicKey, at time: UInt64) -> [[UInt8]] {
        let certificate = Self.certificate(key)
        for entry in entries where entry.signer.isFor(key, certificate) {
            let signer = entry.signer
            let patterns = signer.principals.split(separator: 0x2C).map { Array($0) }
            guard timeRefusal(by: signer, time) == nil else { continue }
            guard signer.isAuthority, let certificate else { return patterns }
            guard certificate.objection(for: nil, at: time) == nil else { continue }
            let names = patterns.flatMap { pattern in
                certificate.principals.filter { PatternList.matches(pattern[...], $0) }
            }
            if !names.isEmpty { return names }
        }
        return []
    }

    /// The certificate that a key is, if its authority has signed it; nil for any other key.
    private static func certificate(_ key: PublicKey) -> Certificate? {
        guard let certificate = try? Certificate(key) else { return nil }
        return (try? certificate.checkSignature()) == nil ? nil : certificate
    }

    private func refusal(
        by signer: AllowedSigner,
        _ certificate: Certificate?,
        _ principal: [UInt8],
        _ namespace: [UInt8],
        _ time: UInt64
    ) -> SignerVerdict.Reason? {
        if signer.isAuthority, let objection = certificate?.objection(for: principal, at: time) {
            return objection
        }
        if let allowed = signer.namespaces,
            PatternList.answer(allowed, to: namespace, ignoringCase: false) != .match
        {
            return .otherNamespace
        }
        return timeRefusal(by: signer, time)
    }

    private func timeRefusal(by signer: AllowedSigner, _ time: UInt64) -> SignerVerdict.Reason? {
        let now = Int64(clamping: time)
        if let first = signer.validAfter?.utc(localToUTC), now < first { return .notYetValid }
        if let last = signer.validBefore?.utc(localToUTC), now > last { return .expired }
        return nil
    }
}

extension AllowedSigners {
    /// Equal if they say the same; how local times are turned into UTC is left out.
    public static func == (one: AllowedSigners, other: AllowedSigners) -> Bool {
        one.entries == other.entries && one.faults == other.faults
    }
}

extension AllowedSigner {
    /// Whether the line is about a key: the key itself, or the authority of a certificate.
    fileprivate func isFor(_ key: PublicKey, _ certificate: Certificate?) -> Bool {
        if isAuthority { return certificate?.authority.isSameKey(as: self.key) ?? false }
        return self.key.isSameKey(as: key)
    }
}

extension Certificate {
    /// Why it does not speak for a signer; its signature is good.
    ///
    /// As for `ssh-keygen`, critical options say nothing about signatures of files.
    fileprivate func objection(for principal: [UInt8]?, at time: UInt64) -> SignerVerdict.Reason? {
        if kind != .user { return .hostCertificate }
        if time < validAfter { return .notYetValid }
        if time >= validBefore { return .expired }
        guard let principal else { return nil }
        return principals.contains(principal) ? nil : .otherPrincipals
    }
}

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
