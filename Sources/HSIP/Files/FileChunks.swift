public import VaultCrypto

/// The chunks of a file or a parcel for a contact; each is sealed alone, with its number and an end mark in
/// its nonce.
///
/// So a missing, repeated, moved or foreign chunk does not open, and a file without its end does not either.
/// Any chunk can be sealed or opened without its neighbours, on any thread. The construction is STREAM
/// (Hoang, Reyhanitabar, Rogaway, Vizár 2015) over ChaCha20-Poly1305.
public struct FileChunks: Sendable {
    /// Bytes of plaintext in every chunk but the last, which has from 1 to that many; the only chunk of an
    /// empty file has 0.
    public static let plainSize = 1 << 16
    /// Bytes of a whole sealed chunk.
    public static let sealedSize = plainSize + ChaCha20Poly1305.tagSize

    private let key: Secret

    /// The chunks of one file.
    ///
    /// - Parameters:
    ///   - header: the header of the file; the key depends on all of it.
    ///   - fileKey: the 32 bytes of its key message.
    /// - Throws: `outOfMemory`; `malformed` for a key of the wrong size.
    public init(header: FileHeader, fileKey: borrowing some ByteSource & ~Copyable) throws(HSIPError) {
        guard fileKey.count == MessagePurpose.fileKeySize else { throw .malformed }
        do throws(CryptoError) {
            let extracted = try HKDF.extract(salt: header.bytes, keyMaterial: fileKey)
            key = Secret(
                try HKDF.expand(extracted, info: header.purpose.chunkInfo, count: ChaCha20Poly1305.keySize)
            )
        } catch {
            throw HSIPError(error)
        }
    }

    /// The number of sealed bytes for a number of bytes of plaintext.
    public static func sealedCount(of plain: Int) -> Int {
        plain + max(1, (plain + plainSize - 1) / plainSize) * ChaCha20Poly1305.tagSize
    }

    /// Seals a run of consecutive chunks.
    ///
    /// - Parameters:
    ///   - plaintext: whole chunks; only at the end of the file the last one may be shorter.
    ///   - first: the number of the first chunk, from 0.
    ///   - isLast: whether the file ends with this run.
    ///   - output: room for `sealedCount(of:)` bytes or more.
    /// - Returns: the number of bytes written to `output`.
    /// - Throws: `malformed` for lengths that no file has, or if `output` is too small.
    public func seal(
        _ plaintext: RawSpan,
        first: UInt64,
        isLast: Bool,
        into output: inout MutableRawSpan
    ) throws(HSIPError) -> Int {
        let total = plaintext.byteCount
        guard isLast ? total > 0 || first == 0 : total > 0 && total.isMultiple(of: Self.plainSize),
            output.byteCount >= Self.sealedCount(of: total)
        else { throw .malformed }
        var (number, done, written) = (first, 0, 0)
        repeat {
            let count = min(Self.plainSize, total - done)
            let part = plaintext.extracting(done..<done + count)
            let sealed = count + ChaCha20Poly1305.tagSize
            do throws(CryptoError) {
                try ChaCha20Poly1305.seal(
                    part,
                    key: key,
                    nonce: Self.nonce(number, isLast: isLast && done + count == total),
                    into: &output,
                    at: written
                )
            } catch {
                throw HSIPError(error)
            }
            (number, done, written) = (number + 1, done + count, written + sealed)
        } while done < total
        return written
    }

    /// Opens a run of consecutive chunks.
    ///
    /// - Parameters:
    ///   - sealed: whole chunks; only at the end of the file the last one may be shorter.
    ///   - first: the number of the first chunk, from 0.
    ///   - isLast: whether the file ends with this run.
    ///   - output: room for as many bytes as `sealed` has.
    /// - Returns: the number of bytes of plaintext in `output`; all chunks before a faulty one were verified, too.
    /// - Throws: `fileCut` if the end of the file is certainly missing; `fileChanged` if a chunk differs from the sealed
    ///   chunk; `malformed` for impossible lengths. Then `output` must not be used.
    public func open(
        _ sealed: RawSpan,
        first: UInt64,
        isLast: Bool,
        into output: inout MutableRawSpan
    ) throws(HSIPError) -> Int {
        let total = sealed.byteCount
        guard isLast || (total > 0 && total.isMultiple(of: Self.sealedSize)), output.byteCount >= total
        else { throw .malformed }
        var (number, done, written) = (first, 0, 0)
        repeat {
            let size = min(Self.sealedSize, total - done)
            let count = size - ChaCha20Poly1305.tagSize
            let endsHere = isLast && done + size == total
            // Shorter than the shortest chunk; an empty chunk exists only in an empty file.
            guard count >= 0 else { throw .fileCut }
            guard count > 0 || number == 0 else { throw .fileChanged }
            let chunk = sealed.extracting(done..<done + size)
            if !open(chunk, number, isLast: endsHere, into: &output, at: written) {
                // If the chunk opens as not the last, its successors were cut off.
                let isCut = endsHere && open(chunk, number, isLast: false, into: &output, at: written)
                for place in 0..<count {
                    output.storeBytes(of: 0, toByteOffset: written + place, as: UInt8.self)
                }
                throw isCut ? .fileCut : .fileChanged
            }
            (number, done, written) = (number + 1, done + size, written + count)
        } while done < total
        return written
    }

    private func open(
        _ chunk: RawSpan,
        _ number: UInt64,
        isLast: Bool,
        into output: inout MutableRawSpan,
        at place: Int
    ) -> Bool {
        do throws(CryptoError) {
            try ChaCha20Poly1305.open(
                chunk,
                key: key,
                nonce: Self.nonce(number, isLast: isLast),
                into: &output,
                at: place
            )
            return true
        } catch {
            return false
        }
    }

    /// The number as 11 bytes, most significant first, and 01 for the last chunk, 00 for every other.
    private static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
        [0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } + [isLast ? 1 : 0]
    }
}
