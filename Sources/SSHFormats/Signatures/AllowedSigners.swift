/// A file of allowed_signers: the keys whose signatures are accepted.
///
/// An unreadable line, or a line with an unknown option, accepts no signer. The other lines stay valid.
public struct AllowedSigners: Equatable, Sendable {
    /// A valid line.
    public struct Entry: Hashable, Sendable {
        /// The line number, counted from 1.
        public let line: Int
        /// The content of the line.
        public let signer: AllowedSigner
    }

    /// An unreadable line.
    public struct Fault: Equatable, Sendable {
        /// The line number, counted from 1.
        public let line: Int
        /// The reason.
        public let error: SSHFormatError
    }

    /// The valid lines, in their order.
    public let entries: [Entry]
    /// The invalid lines; blank lines and comments are not among them.
    public let faults: [Fault]
    private let localToUTC: @Sendable (Int64) -> Int64

    /// Reads a file.
    ///
    /// `localToUTC` converts a local time, in seconds since 1970 on the local clock, to Unix time. Times without `Z`
    /// are local.
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

    /// Verifies a signature of a message, and whether its key may sign under this name.
    ///
    /// `time` is the Unix time in seconds at which the signature was made, as far as the caller knows it.
    ///
    /// - Throws: the errors of `FileSignature.verify`; the signature is then invalid.
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

    /// Returns whether a key or a certificate may sign under this name.
    ///
    /// It does not verify a signature.
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

    /// Returns the names under which a key may sign at a time, from the first line with the key.
    ///
    /// As in `ssh-keygen -Y find-principals`, patterns are resolved only by the names in a certificate.
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

    /// Returns a certificate with a valid signature of its authority; nil for any other key.
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
    /// Compares all fields except the conversion of local times to UTC.
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
    /// Returns the reason why a certificate with a valid signature is not accepted for a signer.
    ///
    /// As in `ssh-keygen`, critical options have no effect on signatures of files.
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
    /// It may sign, by the line with this number, counted from 1.
    case allowed(line: Int)
    /// It may not sign; with the reason of the last line with this name and key, if such a line exists.
    case refused(Reason?)

    /// The reason why a line with the name and the key does not allow the signature.
    public enum Reason: Hashable, Sendable {
        /// The line is for other namespaces.
        case otherNamespace
        /// The line or the certificate is not valid yet.
        case notYetValid
        /// The line or the certificate has expired.
        case expired
        /// The certificate is for hosts.
        case hostCertificate
        /// The certificate does not name the signer.
        case otherPrincipals
    }

    /// Whether the key may sign.
    public var isAllowed: Bool {
        if case .allowed = self { true } else { false }
    }
}
