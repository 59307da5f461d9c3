extension Certificate {
    /// Why a certificate does not count for a signer now.
    public enum Objection: Hashable, Sendable, Codable {
        /// It is for a user and a host was asked for, or the other way round.
        case otherKind
        /// Its time begins at this second.
        case notYetValid(from: UInt64)
        /// Its time ended before this second.
        case expired(at: UInt64)
        /// The name is not among its principals.
        case otherPrincipal
        /// It has critical options that are not understood: as many.
        case unknownCriticalOptions(Int)
        /// The CA has not signed it.
        case badSignature
    }

    /// The options that OpenSSH understands in certificates for users; for hosts there is none.
    private static let knownOptions: Set<String> = ["force-command", "source-address", "verify-required"]

    /// Everything that speaks against the certificate; nothing when it counts.
    ///
    /// `name` is compared byte for byte with the principals of users; those of hosts may be patterns with `*` and
    /// `?`, as OpenSSH takes them. Without a name, principals are not asked about. Whether the CA is to be
    /// trusted, and whether an option such as `source-address` is met, is not answered here.
    public func objections(as kind: Kind, for name: [UInt8]?, at second: UInt64) -> [Objection] {
        var objections: [Objection] = []
        if self.kind != kind { objections.append(.otherKind) }
        if second < validAfter { objections.append(.notYetValid(from: validAfter)) }
        if second >= validBefore { objections.append(.expired(at: validBefore)) }
        if let name, !speaks(for: name) { objections.append(.otherPrincipal) }
        let known = kind == .user ? Self.knownOptions : []
        let unknown = criticalOptions.filter { !known.contains($0.name) }.count
        if unknown > 0 { objections.append(.unknownCriticalOptions(unknown)) }
        if (try? checkSignature()) == nil { objections.append(.badSignature) }
        return objections
    }
    private func speaks(for name: [UInt8]) -> Bool {
        switch kind {
        case .user: principals.contains(name)
        case .host: principals.contains { PatternList.matches($0[...], name) }
        }
    }
}
