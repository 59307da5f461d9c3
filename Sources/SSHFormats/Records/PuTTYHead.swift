public import VaultCrypto

/// The header of a PuTTY key file; PuTTY's own tool reads the numbers after it.
public struct PuTTYHead: Hashable, Sendable {
    /// The most KiB that deriving a key from the passphrase may use: PuTTY itself uses 8,192.
    public static let maximumMemory = 1 << 20
    /// The most passes over that memory; PuTTY itself uses a few dozen at most.
    public static let maximumPasses = 10_000

    private static let mark = Array("PuTTY-User-Key-File-".utf8)
    private static let longestLine = 1024
    private static let maximumLines = 4096

    /// The version of the form: 2 or 3.
    public let version: UInt32
    /// Whether a passphrase is needed.
    public let isEncrypted: Bool

    /// Reads the lines up to the private half.
    ///
    /// - Throws: `SSHFormatError.noKey` for another file; `unsupportedVersion`; `truncated` without a private half;
    ///   `malformed`; `oversized` for a passphrase that would cost more memory or time than is bearable.
    public init(_ text: borrowing some ByteSource & ~Copyable) throws(SSHFormatError) {
        guard let lines = Self.lines(text) else { throw .truncated }
        guard let first = lines.first, first.name.starts(with: Self.mark) else { throw .noKey }
        guard let version = Self.number(first.name.dropFirst(Self.mark.count)) else { throw .malformed }
        guard version == 2 || version == 3 else { throw .unsupportedVersion(UInt32(clamping: version)) }
        self.version = UInt32(clamping: version)
        func value(_ name: String) -> ArraySlice<UInt8>? {
            lines.first { $0.name.elementsEqual(name.utf8) }?.value
        }
        guard let encryption = value("Encryption") else { throw .malformed }
        isEncrypted = !encryption.elementsEqual("none".utf8)
        for (name, maximum) in [("Argon2-Memory", Self.maximumMemory), ("Argon2-Passes", Self.maximumPasses)]
        {
            guard let text = value(name) else { continue }
            guard let number = Self.number(text) else { throw .malformed }
            guard number <= maximum else { throw .oversized(limit: maximum) }
        }
    }

    /// Returns the lines with a name before a colon, up to `Private-Lines`; nil if that line is missing.
    private static func lines(
        _ text: borrowing some ByteSource & ~Copyable
    ) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]? {
        text.withBytes { span in
            var lines: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
            var start = 0
            while start < span.byteCount, lines.count < maximumLines {
                var end = start
                while end < span.byteCount, !isBreak(span.byte(at: end)) { end += 1 }
                let line = span.extracting(start..<min(end, start + longestLine)).copied()
                start = end + 1
                guard let colon = line.firstIndex(of: 0x3A) else { continue }
                lines.append((line[..<colon], line[(colon + 1)...].drop { $0 == 0x20 }))
                if line.starts(with: Array("Private-Lines:".utf8)) { return lines }
            }
            return nil
        }
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// A number as PuTTY writes it: decimal digits.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...10).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
