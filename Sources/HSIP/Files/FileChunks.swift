public import VaultCrypto

/// The chunks of a file or a parcel for a contact: each is sealed by itself, and says by its nonce which it is and whether it
/// is the last.
///
/// So one that is missing, repeated, moved or taken from another file does not open, nor does a file without
/// its end. Any chunk can be sealed or opened without its neighbours, on any thread. The construction is STREAM
/// (Hoang, Reyhanitabar, Rogaway, Vizár 2015) over ChaCha20-Poly1305.
public struct FileChunks: Sendable {
    /// Bytes of plaintext in every chunk but the last, which has 1 to as many; the only one of an empty file has 0.
    public static let plainSize = 1 << 16
    /// The same, sealed.
    public static let sealedSize = plainSize + ChaCha20Poly1305.tagSize

    private let key: Secret

    /// The chunks of one file.
    ///
    /// - Parameters:
    ///   - header: all of it goes into the key.
    ///   - fileKey: the 32 bytes that its key message carries.
    /// - Throws: `outOfMemory`; `malformed` for a key of another size.
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

    /// How many bytes a run of so many bytes of plaintext has when it is sealed.
    public static func sealedCount(of plain: Int) -> Int {
        plain + max(1, (plain + plainSize - 1) / plainSize) * ChaCha20Poly1305.tagSize
    }

    /// Seals a run of chunks that follow each other.
    ///
    /// - Parameters:
    ///   - plaintext: whole chunks; only at the end of the file a last one that is shorter.
    ///   - first: the number of the first of them, from 0.
    ///   - isLast: the file ends with this run.
    ///   - output: room for `sealedCount(of:)` bytes or more.
    /// - Returns: how many bytes of `output` were written.
    /// - Throws: `malformed` for lengths that no file has.
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

    /// Opens a run of chunks that follow each other.
    ///
    /// - Parameters:
    ///   - sealed: whole chunks; only at the end of the file a last one that is shorter.
    ///   - first: the number of the first of them, from 0.
    ///   - isLast: nothing follows in the file.
    ///   - output: room for as many bytes as were sealed.
    /// - Returns: how many bytes of `output` are plaintext; all before the chunk at fault were verified, too.
    /// - Throws: `fileCut` where the end of the file is certainly missing; `fileChanged` where a chunk is not what
    ///   was sealed there; `output` is then not to be used.
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
            // Shorter than the shortest chunk; an empty one stands only in an empty file.
            guard count >= 0 else { throw .fileCut }
            guard count > 0 || number == 0 else { throw .fileChanged }
            let chunk = sealed.extracting(done..<done + size)
            if !open(chunk, number, isLast: endsHere, into: &output, at: written) {
                // A chunk that opens as one with others after it was cut off from them.
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
