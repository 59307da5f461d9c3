import HSIP
import VaultCrypto

extension FuzzTarget {
    private static let fileKey = [UInt8](repeating: 9, count: MessagePurpose.fileKeySize)

    /// A file for a contact, as it comes; and one that is made of these bytes, sealed, damaged at a place that they
    /// choose, and opened.
    static func fileContainer(_ bytes: [UInt8]) -> String? {
        if let header = try? FileHeader(bytes: Array(bytes.prefix(FileHeader.size))) {
            guard Array(bytes.prefix(FileHeader.size)) == header.bytes else {
                return "another header comes back"
            }
            let rest = Array(bytes.dropFirst(FileHeader.size))
            if let chunks = try? FileChunks(header: header, fileKey: fileKey), opened(rest, by: chunks) != nil
            {
                return "something opens that nobody sealed"
            }
        }
        guard bytes.count > 8, let chunks = chunks(of: bytes) else { return nil }
        // Sizes around the edges of chunks, which are longer than what a fuzzer writes.
        let number = Int(bytes[0]) << 8 | Int(bytes[1])
        let size = number % 3 * FileChunks.plainSize + (number / 3 % 64) - (number % 3 > 0 ? 32 : 0)
        let plain = (0..<size).map { bytes[$0 % bytes.count] }
        guard let sealed = sealed(plain, by: chunks) else { return "a file that cannot be sealed" }
        guard opened(sealed, by: chunks) == plain else { return "another file comes back" }
        let place = (Int(bytes[2]) << 16 | Int(bytes[3]) << 8 | Int(bytes[4])) % sealed.count
        var changed = sealed
        changed[place] ^= max(1, bytes[5])
        guard opened(changed, by: chunks) == nil else { return "a changed file opens" }
        guard opened(Array(sealed.prefix(place)), by: chunks) == nil else {
            return "a file without its end opens"
        }
        guard opened(sealed + [bytes[6]], by: chunks) == nil else {
            return "a file with more behind it opens"
        }
        return nil
    }

    /// Chunks under a header that some of the bytes make.
    private static func chunks(of bytes: [UInt8]) -> FileChunks? {
        let message = [1] + (0..<60 + MessagePurpose.fileKeySize).map { bytes[$0 % bytes.count] }
        guard let envelope = try? MessageEnvelope(bytes: message),
            let header = try? FileHeader(keyMessage: envelope)
        else { return nil }
        return try? FileChunks(header: header, fileKey: fileKey)
    }

    private static func sealed(_ plain: [UInt8], by chunks: FileChunks) -> [UInt8]? {
        guard var output = try? SecretBytes(count: FileChunks.sealedCount(of: plain.count)) else {
            return nil
        }
        let count = plain.withBytes { plain in
            output.withMutableBytes { try? chunks.seal(plain, first: 0, isLast: true, into: &$0) }
        }
        return count == output.count ? output.withBytes { $0.copied() } : nil
    }

    private static func opened(_ sealed: [UInt8], by chunks: FileChunks) -> [UInt8]? {
        guard var output = try? SecretBytes(count: sealed.count) else { return nil }
        let count = sealed.withBytes { sealed in
            output.withMutableBytes { try? chunks.open(sealed, first: 0, isLast: true, into: &$0) }
        }
        return count.map { count in output.withBytes { $0.extracting(0..<count).copied() } }
    }
}
