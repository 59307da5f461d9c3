public import VaultCrypto

/// The permanent identity of a host profile, independent of label and address: a UUID (RFC 9562).
public struct HostID: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// A new one, of version 4.
    public init(_ entropy: Entropy) {
        var bytes = entropy.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// The identifier of 16 bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual text: 8, 4, 4, 4 and 12 hexadecimal digits in either case, of any version.
    ///
    /// - Throws: `SSHFormatError.badIdentifier`.
    public init(_ text: String) throws(SSHFormatError) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            let bytes = Hex.decode(groups.joined().lowercased()), bytes.count == 16
        else { throw .badIdentifier }
        self.bytes = bytes
    }

    /// The usual text, in lower case.
    public var description: String {
        let digits = Hex.encode(bytes)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
