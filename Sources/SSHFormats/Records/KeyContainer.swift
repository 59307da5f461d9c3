public import VaultCrypto

/// The kind of a key file, found from the first line that identifies it, without decryption.
public enum KeyContainer: Hashable, Sendable {
    /// A private key in OpenSSH's own format.
    case openSSH
    /// A private key in PEM: PKCS#1, SEC1 or PKCS#8.
    case pem
    /// A DSA key in OpenSSL's format, which newer OpenSSH cannot open; a separate case lets callers refuse it by name.
    case dsa
    /// A private key in PuTTY's format.
    case putty
    /// A public key, in one line or in RFC 4716's format.
    case publicKey
    /// An unknown kind of file.
    case other

    /// Finds the kind of a text from its first 64 KiB.
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
        // Only a line that begins like a public key is copied out of locked memory.
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
