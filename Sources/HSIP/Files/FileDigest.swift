public import VaultCrypto

/// What a file holds, in 32 bytes, so that its key can depend on it.
///
/// The sender alone makes and uses it: a reader of the file never sees it.
public struct FileDigest: Sendable {
    /// Bytes of the result.
    public static let size = 32
    /// Bytes of a piece; only the last one is shorter.
    public static let pieceSize = 4 * FileChunks.plainSize

    private var state = [UInt8](repeating: 0, count: size)
    private var count: UInt64 = 0

    /// Of nothing yet.
    public init() {}

    /// Goes on with the next bytes of the file.
    ///
    /// - Throws: `outOfMemory`.
    public mutating func add(_ piece: borrowing some ByteSource & ~Copyable) throws(HSIPError) {
        do {
            state = try KeyedHash.blake2b(
                state + KeyedHash.blake2b(piece, count: Self.size),
                count: Self.size
            )
        } catch {
            throw HSIPError(error)
        }
        count += UInt64(piece.count)
    }

    /// The digest.
    ///
    /// - Parameter isWhole: the file ends here; false where only its beginning could be read before its key
    ///   was made.
    /// - Returns: 32 bytes.
    /// - Throws: `outOfMemory`.
    public func finish(isWhole: Bool) throws(HSIPError) -> [UInt8] {
        do {
            return try KeyedHash.blake2b(
                [isWhole ? 1 : 0] + count.bigEndianBytes + state,
                count: Self.size
            )
        } catch {
            throw HSIPError(error)
        }
    }
}
