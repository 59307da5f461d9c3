/// The name of a pairing: the first 16 bytes of its transcript hash (`pid`).
public struct PairingID: Hashable, Sendable, Comparable {
    /// 16 bytes.
    public let bytes: [UInt8]

    /// A name from its 16 bytes; nil for any other length.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// The first 16 bytes of a transcript hash of 32.
    public init(transcript: [UInt8]) {
        bytes = Array(transcript.prefix(16))
    }

    /// Compares as unsigned bytes, first byte first.
    public static func < (a: PairingID, b: PairingID) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}
