public import VaultCrypto

/// The digest of a file's content, 32 bytes, so that the file's key can depend on it.
///
/// Only the sender computes and uses the digest: a reader of the file never sees it. Each piece is hashed separately,
/// on any thread; the results are added in the order of the file.
public struct FileDigest: Sendable {
    /// Bytes of the result.
    public static let size = 32
    /// Bytes of a piece; only the last one is shorter.
    public static let pieceSize = 4 * FileChunks.plainSize
    /// Bytes of the summary of a piece: its hash and its length.
    public static let summarySize = size + 8

    private var state = [UInt8](repeating: 0, count: size)

    /// The digest of no data yet.
    public init() {}

    /// Computes the summary of a piece, for `add(summary:)`.
    ///
    /// - Parameters:
    ///   - piece: bytes of the file.
    ///   - summary: gets `summarySize` bytes.
    /// - Throws: `malformed` for too little room.
    public static func summarize(_ piece: RawSpan, into summary: inout MutableRawSpan) throws(HSIPError) {
        guard summary.byteCount >= summarySize else { throw .malformed }
        do { try BLAKE3.hash(piece, into: &summary) } catch { throw HSIPError(error) }
        for (place, byte) in UInt64(piece.byteCount).bigEndianBytes.enumerated() {
            summary.storeBytes(of: byte, toByteOffset: size + place, as: UInt8.self)
        }
    }

    /// Adds the next piece of the file, by its summary of `summarySize` bytes.
    public mutating func add(summary: [UInt8]) {
        precondition(summary.count == Self.summarySize, "a summary")
        state = BLAKE3.hash(state + summary)
    }

    /// Adds the next bytes of the file.
    public mutating func add(_ piece: borrowing some ByteSource & ~Copyable) {
        add(summary: BLAKE3.hash(piece) + UInt64(piece.count).bigEndianBytes)
    }

    /// The digest.
    ///
    /// - Parameter isWhole: whether all of the file was added; false if only its beginning could be read before its key
    ///   was made.
    /// - Returns: 32 bytes.
    public func finish(isWhole: Bool) -> [UInt8] { BLAKE3.hash([isWhole ? 1 : 0] + state) }
}
