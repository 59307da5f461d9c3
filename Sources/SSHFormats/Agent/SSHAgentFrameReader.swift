internal import VaultCrypto

/// Splits the bytes of a connection into messages, whatever pieces they arrive in.
///
/// Bytes arrive in locked memory and stay there unless the message is known to have no secret. More than one page is
/// allocated only for a message whose announced length is within the limit.
public struct SSHAgentFrameReader: ~Copyable {
    /// The length of the longest message in bytes, as in OpenSSH.
    public static let longest = 256 << 10

    private static let usualCapacity = 4080
    private static let lengthSize = 4

    private var memory: SecretBytes
    private var start = 0
    private var end = 0

    /// Creates an empty reader.
    ///
    /// - Throws: `SSHFormatError.outOfMemory`.
    public init() throws(SSHFormatError) {
        memory = try unsafe SecretBytes.making(Self.usualCapacity) { _ in true }
    }

    /// Whether a message has begun and is not yet complete.
    public var isPartial: Bool { start < end }

    /// Lets `read` write the bytes that arrived, and accepts as many bytes as it returns.
    ///
    /// The buffer always has room if `next` was called until it returned nil.
    public mutating func fill<E: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        if start > 0 { moveDown() }
        let (old, size) = (end, memory.count)
        let count = try memory.withMutableBytes { (span) throws(E) in
            try unsafe span.withUnsafeMutableBytes { (all) throws(E) in
                try unsafe read(UnsafeMutableRawBufferPointer(rebasing: all[old...]))
            }
        }
        end += min(max(count, 0), size - old)
        return count
    }

    /// Returns the next complete message.
    ///
    /// - Parameter reserve: called with the size of a long message before memory for it is allocated; it may refuse.
    /// - Returns: the message, in locked memory if it has a secret; nil if more bytes must arrive first.
    /// - Throws: `SSHFormatError.malformed` for an empty message; `oversized`; `outOfMemory`. The reader cannot be
    ///   used after an error.
    public mutating func next(
        reserving reserve: (Int) throws(SSHFormatError) -> Void = { (_) throws(SSHFormatError) in }
    ) throws(SSHFormatError) -> SSHAgentFrame? {
        guard end - start >= Self.lengthSize else { return nil }
        let announced = memory.withBytes { span in
            (0..<Self.lengthSize).reduce(UInt32(0)) { $0 << 8 | UInt32(span.byte(at: start + $1)) }
        }
        guard announced > 0 else { throw .malformed }
        guard announced <= UInt32(Self.longest) else { throw .oversized(limit: Self.longest) }
        let whole = Self.lengthSize + Int(announced)
        guard end - start >= whole else {
            if memory.count < whole {
                try reserve(whole)
                try grow(to: whole)
            }
            return nil
        }
        let code = memory.withBytes { $0.byte(at: start + Self.lengthSize) }
        let body = start + Self.lengthSize + 1..<start + whole
        guard SSHAgentCode.secret.contains(code) else {
            let bytes = memory.withBytes { $0.extracting(body).copied() }
            try drop(whole)
            return .open(code: code, body: bytes)
        }
        let bytes = Secret(try memory.part(body))
        wipe(body)
        try drop(whole)
        return .secret(code: code, body: bytes)
    }

    /// Releases a message and the memory of a long one.
    private mutating func drop(_ count: Int) throws(SSHFormatError) {
        start += count
        guard start == end else { return }
        (start, end) = (0, 0)
        guard memory.count > Self.usualCapacity else { return }
        memory = try unsafe SecretBytes.making(Self.usualCapacity) { _ in true }
    }

    private mutating func grow(to whole: Int) throws(SSHFormatError) {
        let (from, count) = (start, end - start)
        memory = try Self.copy(memory, from..<from + count, size: whole)
        (start, end) = (0, count)
    }

    private static func copy(
        _ bytes: borrowing SecretBytes,
        _ range: Range<Int>,
        size: Int
    ) throws(SSHFormatError) -> SecretBytes {
        try unsafe SecretBytes.making(size) { target in
            bytes.withBytes { source in
                unsafe source.extracting(range).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            }
            return true
        }
    }

    private mutating func moveDown() {
        let (from, to) = (start, end)
        memory.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { all in
                for (new, old) in (from..<to).enumerated() { unsafe all[new] = all[old] }
            }
        }
        wipe(to - from..<to)
        (start, end) = (0, to - from)
    }

    private mutating func wipe(_ range: Range<Int>) {
        memory.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { all in
                unsafe UnsafeMutableRawBufferPointer(rebasing: all[range]).wipe()
            }
        }
    }
}
