package import VaultCrypto

/// One share of a secret: what it says of itself, and its values in locked memory.
package struct Share: Sendable {
    /// What it says of itself.
    package let header: ShareHeader
    /// As many bytes as the secret has.
    package let value: Secret

    init(_ header: ShareHeader, _ value: Secret) {
        self.header = header
        self.value = value
    }

    /// Reads the words of a share.
    ///
    /// - Throws: `ShareError.shareWrong`; `outOfMemory`.
    init(_ words: borrowing ShareWords) throws(ShareError) {
        guard (ShareWords.minimum...ShareWords.maximum).contains(words.count) else {
            throw .shareWrong(.wordCount(words.count))
        }
        let header = ShareHeader(words)
        guard ShareChecksum.remainder(words, isExtendable: header.isExtendable) == 1 else {
            throw .shareWrong(.checksum)
        }
        // Zero bits fill the value up to whole words, and a value has an even number of bytes.
        let bits = 10 * (words.count - ShareHeader.size - ShareChecksum.size)
        let padding = bits % 16
        let start = 10 * ShareHeader.size
        let filled = (start..<start + padding).reduce(UInt32(0)) { $0 | words.bit(at: $1) }
        guard padding <= 8, filled == 0, header.groupThreshold <= header.groupCount else {
            throw .shareWrong(.content)
        }
        let value: SecretBytes
        do throws(CryptoError) {
            value = try SecretBytes(count: (bits - padding) / 8) { bytes in
                for index in 0..<bytes.byteCount {
                    let first = start + padding + 8 * index
                    let byte = (first..<first + 8).reduce(UInt32(0)) { $0 << 1 | words.bit(at: $1) }
                    bytes.storeBytes(
                        of: UInt8(truncatingIfNeeded: byte),
                        toByteOffset: index,
                        as: UInt8.self
                    )
                }
            }
        } catch {
            throw ShareError(error)
        }
        self.init(header, Secret(value))
    }

    /// The words of the share.
    ///
    /// - Throws: `ShareError.outOfMemory`.
    func words() throws(ShareError) -> ShareWords {
        let middle = (8 * value.count + 9) / 10
        var words = try ShareWords(count: ShareHeader.size + middle + ShareChecksum.size)
        header.write(to: &words)
        let start = 10 * (ShareHeader.size + middle) - 8 * value.count
        value.withBytes { bytes in
            for index in 0..<8 * bytes.byteCount {
                let bit = UInt32(bytes.byte(at: index / 8)) >> UInt32(7 - index % 8) & 1
                words.add(bit, at: start + index)
            }
        }
        ShareChecksum.complete(&words, isExtendable: header.isExtendable)
        return words
    }
}
