/// Reads fixed fields from a code, first to last; throws `malformed` if bytes are missing.
///
/// Lengths are compared before slicing, so no input can make the reader trap.
struct CodeReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(HSIPError) -> [UInt8] {
        guard count >= 0, count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The next big-endian number of `width` bytes, at most eight.
    private mutating func number(width: Int) throws(HSIPError) -> UInt64 {
        try take(width).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func u8() throws(HSIPError) -> UInt8 {
        UInt8(truncatingIfNeeded: try number(width: 1))
    }

    mutating func u16() throws(HSIPError) -> UInt16 {
        UInt16(truncatingIfNeeded: try number(width: 2))
    }

    mutating func u32() throws(HSIPError) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(width: 4))
    }

    /// A name with its length byte in front, checked by the rules of `PeerName`.
    mutating func name() throws(HSIPError) -> String {
        let length = Int(try u8())
        guard length <= PeerName.longest else { throw .malformed }
        return try PeerName.checked(try take(length))
    }

    /// The 14-byte header, which must be of this kind.
    mutating func header(_ kind: CodeKind) throws(HSIPError) -> CodeHeader {
        let header = try CodeHeader(bytes: try take(CodeHeader.byteCount))
        guard header.kind == kind else { throw .malformed }
        return header
    }

    /// Refuses extra bytes after the code.
    func finish() throws(HSIPError) {
        guard position == bytes.count else { throw .malformed }
    }
}

extension [UInt8] {
    /// These bytes if there are exactly `count`; otherwise throws `malformed`.
    func sized(_ count: Int) throws(HSIPError) -> [UInt8] {
        guard self.count == count else { throw .malformed }
        return self
    }
}
