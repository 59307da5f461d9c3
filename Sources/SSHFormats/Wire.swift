/// Reads the fields of RFC 4251 section 5 from public bytes, first to last.
///
/// It is total: it compares a length with its limit and with what is left before it slices, so no input makes
/// it trap or allocate more than the input's own size.
public struct WireReader: Sendable {
    /// What one string may hold unless the caller says otherwise: OpenSSH's own limit of a whole message.
    public static let defaultLimit = 256 << 10
    /// Bytes in the longest number: 16,384 bits, as OpenSSH has it.
    public static let longestNumber = 16384 / 8

    private let bytes: [UInt8]
    private var position = 0

    /// Reads some bytes from their beginning.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many bytes are not read yet.
    public var remaining: Int { bytes.count - position }

    /// Whether everything is read.
    public var isAtEnd: Bool { position == bytes.count }

    /// How many bytes are read.
    public var offset: Int { position }

    /// The next `count` bytes.
    ///
    /// - Throws: `SSHFormatError.truncated`.
    public mutating func take(_ count: Int) throws(SSHFormatError) -> [UInt8] {
        guard count >= 0, count <= remaining else { throw .truncated }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The next byte.
    ///
    /// - Throws: `SSHFormatError.truncated`.
    public mutating func byte() throws(SSHFormatError) -> UInt8 {
        guard remaining >= 1 else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next number of four bytes.
    ///
    /// - Throws: `SSHFormatError.truncated`.
    public mutating func uint32() throws(SSHFormatError) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(width: 4))
    }

    /// The next number of eight bytes.
    ///
    /// - Throws: `SSHFormatError.truncated`.
    public mutating func uint64() throws(SSHFormatError) -> UInt64 {
        try number(width: 8)
    }

    /// The next string: a length of four bytes, then as many bytes.
    ///
    /// - Throws: `SSHFormatError.oversized` for more than `limit` bytes; `truncated`. Nothing is read then.
    public mutating func string(limit: Int = defaultLimit) throws(SSHFormatError) -> [UInt8] {
        var ahead = self
        let announced = try ahead.uint32()
        guard announced <= UInt32(clamping: limit) else { throw .oversized(limit: limit) }
        let string = try ahead.take(Int(announced))
        self = ahead
        return string
    }

    /// The next string as text: printable ASCII without spaces, as names of algorithms are (RFC 4251 section 6).
    ///
    /// - Throws: `SSHFormatError.malformed` for any other byte; `oversized` above `limit`; `truncated`.
    public mutating func name(limit: Int = 64) throws(SSHFormatError) -> String {
        let bytes = try string(limit: limit)
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .malformed }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the next number, which must not be negative, and returns it without leading zeros: `[]` is zero.
    ///
    /// Like OpenSSH, it accepts and drops superfluous leading zeros.
    ///
    /// - Throws: `SSHFormatError.badNumber` for a negative number or above 16,384 bits; `truncated`.
    public mutating func mpint() throws(SSHFormatError) -> [UInt8] {
        var ahead = self
        let number: [UInt8]
        do throws(SSHFormatError) {
            number = try ahead.string(limit: Self.longestNumber + 1)
        } catch {
            throw error == .truncated ? .truncated : .badNumber
        }
        guard number.first ?? 0 < 0x80 else { throw .badNumber }
        guard number.count <= Self.longestNumber || number.first == 0 else { throw .badNumber }
        self = ahead
        return Array(number.drop { $0 == 0 })
    }

    /// Refuses remaining bytes.
    ///
    /// - Throws: `SSHFormatError.trailingBytes`.
    public func finish() throws(SSHFormatError) {
        guard isAtEnd else { throw .trailingBytes }
    }

    private mutating func number(width: Int) throws(SSHFormatError) -> UInt64 {
        guard width <= remaining else { throw .truncated }
        defer { position += width }
        return bytes[position..<position + width].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Writes the fields of RFC 4251 section 5 as public bytes, first to last.
public struct WireWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty writer.
    public init() {}

    /// Appends bytes without a length.
    public mutating func raw(_ bytes: some Sequence<UInt8>) {
        self.bytes.append(contentsOf: bytes)
    }

    /// One byte.
    public mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// A number of four bytes.
    public mutating func uint32(_ number: UInt32) {
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// A number of eight bytes.
    public mutating func uint64(_ number: UInt64) {
        uint32(UInt32(truncatingIfNeeded: number >> 32))
        uint32(UInt32(truncatingIfNeeded: number))
    }

    /// Bytes with their length before them; a length of 4 GiB or more cannot be written and traps.
    public mutating func string(_ string: [UInt8]) {
        uint32(UInt32(string.count))
        raw(string)
    }

    /// Text with its length before it.
    public mutating func string(_ text: String) {
        string(Array(text.utf8))
    }

    /// A number of any size that is not negative, big-endian, in its shortest form.
    public mutating func mpint(_ magnitude: [UInt8]) {
        let digits = magnitude.drop { $0 == 0 }
        let isHigh = digits.first ?? 0 >= 0x80
        uint32(UInt32(digits.count + (isHigh ? 1 : 0)))
        if isHigh { byte(0) }
        raw(digits)
    }
}
