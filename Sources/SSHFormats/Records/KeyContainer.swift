public import VaultCrypto

/// What kind of file a text is, judged by its first telling line; nothing is decrypted.
public enum KeyContainer: Hashable, Sendable {
    /// A private key in OpenSSH's own form.
    case openSSH
    /// A private key in PEM: PKCS#1, SEC1 or PKCS#8.
    case pem
    /// A DSA key in the form of OpenSSL, which newer OpenSSH cannot open: known so that it can be refused by name.
    case dsa
    /// A private key of PuTTY.
    case putty
    /// The public half of a key, in one line or in RFC 4716's form.
    case publicKey
    /// Nothing that is known.
    case other

    /// Judges a text; only its first 64 KiB are looked at.
    public init(_ text: borrowing some ByteSource & ~Copyable) {
        self = text.withBytes { Self.judge($0) }
    }

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("PRIVATE KEY-----".utf8)
    private static let openSSHWord = Array("OPENSSH ".utf8)
    private static let dsaWord = Array("DSA ".utf8)
    private static let puttyWord = Array("PuTTY-User-Key-File-".utf8)
    private static let publicWords = ["ssh-", "ecdsa-", "sk-"].map { Array($0.utf8) }
    private static let rfc4716 = Array("---- BEGIN SSH2 PUBLIC KEY ----".utf8)

    private static func judge(_ span: RawSpan) -> KeyContainer {
        var start = 0
        let size = min(span.byteCount, 64 << 10)
        var isFirst = true
        while start < size {
            var stop = start
            while stop < size, span.byte(at: stop) != 0x0A { stop += 1 }
            if let kind = kind(of: span.extracting(start..<stop), isFirst: isFirst) { return kind }
            if stop > start + 1 { isFirst = false }
            start = stop + 1
        }
        return .other
    }

    private static func kind(of line: RawSpan, isFirst: Bool) -> KeyContainer? {
        var (start, stop) = (0, line.byteCount)
        while start < stop, line.byte(at: start) <= 0x20 { start += 1 }
        while stop > start, line.byte(at: stop - 1) <= 0x20 { stop -= 1 }
        let text = line.extracting(start..<stop)
        if has(begin, text, at: 0), text.byteCount >= begin.count + end.count,
            has(end, text, at: text.byteCount - end.count)
        {
            if has(openSSHWord, text, at: begin.count) { return .openSSH }
            return has(dsaWord, text, at: begin.count) ? .dsa : .pem
        }
        if has(puttyWord, text, at: 0) { return .putty }
        if has(rfc4716, text, at: 0) { return .publicKey }
        // Only what begins like a public key is looked at outside locked memory.
        guard isFirst, text.byteCount <= PublicKey.longestLine,
            publicWords.contains(where: { has($0, text, at: 0) })
        else { return nil }
        return (try? PublicKey(line: text.copied())) == nil ? nil : .publicKey
    }

    private static func has(_ word: [UInt8], _ line: RawSpan, at offset: Int) -> Bool {
        guard offset + word.count <= line.byteCount else { return false }
        return word.indices.allSatisfy { line.byte(at: offset + $0) == word[$0] }
    }
}
