internal import VaultCrypto

extension PublicKey {
    /// Reads type, base64 and comment as they stand in known_hosts and allowed_signers; nil if ssh could not.
    ///
    /// It is looser than `init(line:)` where ssh is (`sshkey_read` in sshkey.c): white space may stand within
    /// the base64, RSA keys may go by the names of their signatures, and DSA keys are kept as bytes.
    init?(knownHostsText text: ArraySlice<UInt8>) {
        var rest = text
        let name = String(decoding: rest.cutField(), as: UTF8.self)
        let base64 = rest.cutField().filter { !(0x09...0x0D).contains($0) }
        guard !name.isEmpty, base64.count <= Self.longestLine, let blob = StrictBase64.decode(base64) else {
            return nil
        }
        if rest.last == 0x0D { rest.removeLast() }
        guard let key = PublicKey(known: blob, comment: Array(rest)) else { return nil }
        self = key
        guard algorithm.name == name || Self.otherNames[name] == algorithm.name else { return nil }
    }

    /// A key as a line may hold it: one that is good, or a DSA key as its bytes; nil for anything else.
    init?(known blob: [UInt8], comment: [UInt8]) {
        let good = try? PublicKey(blob: blob, comment: comment)
        guard let key = good ?? PublicKey(bytesOnly: blob, comment: comment) else { return nil }
        self = key
    }

    /// Names that OpenSSH takes for a type, though keys of it say another.
    private static let otherNames = [
        "rsa-sha2-256": "ssh-rsa",
        "rsa-sha2-512": "ssh-rsa",
        "rsa-sha2-256-cert-v01@openssh.com": "ssh-rsa-cert-v01@openssh.com",
        "rsa-sha2-512-cert-v01@openssh.com": "ssh-rsa-cert-v01@openssh.com",
        "webauthn-sk-ecdsa-sha2-nistp256@openssh.com": "sk-ecdsa-sha2-nistp256@openssh.com",
    ]

    /// A DSA key without a look into its numbers: a host that is known by one is known.
    private init?(bytesOnly blob: [UInt8], comment: [UInt8]) {
        var reader = WireReader(blob)
        guard let name = try? reader.name(), KeyAlgorithm(name: name) == .dsa else { return nil }
        for _ in 0..<4 {
            guard (try? reader.mpint()) != nil else { return nil }
        }
        guard reader.isAtEnd else { return nil }
        algorithm = .dsa
        self.blob = blob
        self.comment = comment
    }
}
