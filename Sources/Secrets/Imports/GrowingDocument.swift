public import VaultCrypto

/// Locked memory into which the parts of an export are put, one after the other, as they come: the files of a
/// folder, the items of a keyring.
public struct GrowingDocument: ~Copyable {
    /// How many bytes are in.
    public private(set) var count = 0
    private var memory: SecretBytes

    /// Nothing yet.
    public init() throws(ImportError) {
        memory = try Self.memory(64 << 10)
    }

    /// Adds bytes.
    ///
    /// - Returns: Where they are in the document.
    /// - Throws: `tooLarge` above `ImportLimits.document`.
    public mutating func append(
        _ bytes: borrowing some ByteSource & ~Copyable
    ) throws(ImportError) -> Range<Int> {
        let (start, end) = (count, count + bytes.count)
        guard end <= ImportLimits.document else { throw .tooLarge }
        if end > memory.count { try grow(to: end) }
        memory.withMutableBytes { target in
            unsafe target.withUnsafeMutableBytes { target in
                bytes.withBytes { source in
                    unsafe source.withUnsafeBytes {
                        unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<end])
                            .copyMemory(from: $0)
                    }
                }
            }
        }
        count = end
        return start..<end
    }

    /// The content, with unused memory after it.
    consuming func finish() -> SecretBytes { memory }

    private mutating func grow(to size: Int) throws(ImportError) {
        let used = count
        var fresh = try Self.memory(min(max(memory.count * 2, size), ImportLimits.document))
        memory.withBytes { source in
            fresh.withMutableBytes { target in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe source.extracting(0..<used).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                }
            }
        }
        memory = fresh
    }

    private static func memory(_ size: Int) throws(ImportError) -> SecretBytes {
        do throws(CryptoError) {
            return try SecretBytes(count: size)
        } catch {
            throw ImportError(error)
        }
    }
}
