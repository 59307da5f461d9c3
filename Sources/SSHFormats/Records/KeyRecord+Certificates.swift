extension KeyRecord {
    /// When the first of its certificates ends that no later one takes the place of, Unix seconds; nil without
    /// one that ends.
    public var certificateEnd: UInt64? {
        let all = certificates.compactMap { try? Certificate($0) }
        let current = all.filter { one in !all.contains { $0.renews(one) } }
        return current.map(\.validBefore).filter { $0 < UInt64.max }.min()
    }

    /// The certificates that their CA has signed: OpenSSH reads no list of keys with another one in it.
    public var signedCertificates: [PublicKey] {
        certificates.filter { (try? Certificate(signed: $0)) != nil }
    }

    /// Lets go of the certificates that their CA has not signed.
    package mutating func dropUnsignedCertificates() { certificates = signedCertificates }

    /// Lets go of the certificates that are past their time.
    ///
    /// - Returns: how many they were.
    @discardableResult
    public mutating func dropCertificates(pastAt second: UInt64) -> Int {
        let before = certificates.count
        certificates.removeAll { key in
            guard let end = (try? Certificate(key))?.validBefore else { return false }
            return end < .max && end <= second
        }
        return before - certificates.count
    }
}

extension Certificate {
    /// Whether this one speaks for everyone that another one speaks for, and longer.
    fileprivate func renews(_ other: Certificate) -> Bool {
        kind == other.kind && validBefore > other.validBefore
            && Set(principals).isSuperset(of: other.principals)
    }
}
