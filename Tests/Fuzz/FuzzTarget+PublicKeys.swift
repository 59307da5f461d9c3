import SSHFormats

extension FuzzTarget {
    static func publicKey(_ bytes: [UInt8]) -> String? {
        guard let key = try? PublicKey(blob: bytes) else { return nil }
        return brokenPromise(of: key)
    }

    static func publicText(_ bytes: [UInt8]) -> String? {
        if let key = try? PublicKey(line: bytes) {
            guard (try? PublicKey(line: key.line)) == key else { return "another key comes back of a line" }
            if let broken = brokenPromise(of: key) { return broken }
        }
        guard let key = try? PublicKey(rfc4716: bytes) else { return nil }
        return brokenPromise(of: key)
    }

    static func certificate(_ bytes: [UInt8]) -> String? {
        guard let key = try? PublicKey(blob: bytes), let certificate = try? Certificate(key) else {
            return nil
        }
        guard certificate.publicKey.blob == bytes else { return "a certificate was changed" }
        guard certificate.authority.algorithm != .dsa else { return "DSA as an authority" }
        let isSigned = (try? certificate.checkSignature()) != nil
        for kind in [Certificate.Kind.user, .host] {
            let objections = certificate.objections(as: kind, for: [0x61], at: 1_800_000_000)
            guard isSigned || objections.contains(.badSignature) else { return "counts without a signature" }
            guard kind == certificate.kind || !objections.isEmpty else { return "counts as the other kind" }
        }
        guard certificate.lines().count >= 9 else { return "lines are missing" }
        return brokenPromise(of: key)
    }

    /// What holds of every public key that was read.
    private static func brokenPromise(of key: PublicKey) -> String? {
        guard let again = try? PublicKey(blob: key.blob, comment: key.comment), again == key else {
            return "another key comes back of the bytes"
        }
        // A header has room for so many bytes, and none for a line break.
        if key.comment.count <= 1024, !key.comment.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            guard let text = try? PublicKey(rfc4716: key.rfc4716), text.isSameKey(as: key) else {
                return "another key comes back of RFC 4716"
            }
            guard text.comment == key.comment else { return "another comment comes back of RFC 4716" }
        }
        guard Fingerprint(key.fingerprint.description) == key.fingerprint else {
            return "a fingerprint is not read as it is printed"
        }
        let picture = Randomart.lines(of: key)
        guard picture.count == 11, picture.allSatisfy({ $0.utf8.count == 19 }) else { return "no picture" }
        let plain = key.plain
        guard !plain.algorithm.isCertificate, plain.plain == plain else { return "plain is not plain" }
        return nil
    }
}
