internal import Text
public import VaultCrypto

/// The bytes of a document during reading, in their own locked memory; every access is checked.
///
/// Escapes such as `&amp;`, `\n` and `""` are decoded in place, because the result is shorter. So no value is ever
/// copied out of this memory. An instance exists only inside `DocumentMemory.reading`.
@safe struct DocumentBytes {
    private let memory: UnsafeMutableRawBufferPointer
    let count: Int

    init(_ memory: UnsafeMutableRawBufferPointer) {
        unsafe self.memory = memory
        count = memory.count
    }

    subscript(offset: Int) -> UInt8 {
        get {
            precondition(offset >= 0 && offset < count, "offset within the document")
            return unsafe memory[offset]
        }
        nonmutating set {
            precondition(offset >= 0 && offset < count, "offset within the document")
            unsafe memory[offset] = newValue
        }
    }

    /// Whether these letters are at an offset.
    func has(_ letters: StaticString, at offset: Int) -> Bool {
        let size = letters.utf8CodeUnitCount
        guard offset >= 0, offset <= count - size else { return false }
        return (0..<size).allSatisfy { unsafe memory[offset + $0] == letters.utf8Start[$0] }
    }

    /// Whether two ranges contain equal bytes.
    func areEqual(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { self[$0] == self[$1] }
    }

    /// Moves bytes towards the beginning; source and target may overlap.
    func move(_ source: Range<Int>, to target: Int) {
        precondition(source.lowerBound >= 0 && source.upperBound <= count, "range within the document")
        precondition(target >= 0 && target <= source.lowerBound, "towards the beginning")
        guard target < source.lowerBound, !source.isEmpty else { return }
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[target...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[source]))
    }

    /// A name that is not secret, as a plain string; nil if it is not UTF-8 or longer than `ImportLimits.name`.
    func name(_ range: Range<Int>) -> String? {
        guard range.count <= ImportLimits.name else { return nil }
        return text(range)
    }

    /// Text that is not secret, as a plain string; nil if it is not UTF-8.
    func text(_ range: Range<Int>) -> String? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range within the document")
        return unsafe String(validating: memory[range], as: UTF8.self)
    }

    /// Reads the document as JSON, and decodes its texts in place.
    ///
    /// - Throws: `malformed`; `tooDeep`; `tooLarge` for too many values.
    func json() throws(ImportError) -> JSONPlace {
        var span = unsafe MutableRawSpan(_unsafeBytes: memory)
        do throws(JSONError) {
            return try JSONPlace(
                reading: &span,
                JSONLimits(depth: ImportLimits.depth, values: ImportLimits.nodes)
            )
        } catch {
            switch error {
            case .malformed(let line): throw .malformed(line: line)
            case .tooDeep: throw .tooDeep
            case .tooManyValues, .secret: throw .tooLarge
            }
        }
    }

    /// Whether the whole document is UTF-8 (RFC 3629); the check makes no copy.
    var isText: Bool {
        let bytes = unsafe UnsafeRawBufferPointer(memory).bindMemory(to: UInt8.self)
        return unsafe (try? UTF8Span(validating: bytes.span)) != nil
    }

    /// Whether the document has only blanks.
    var isBlank: Bool {
        let start = has("\u{FEFF}", at: 0) ? 3 : 0
        return (start..<count).allSatisfy { Self.isBlank(self[$0]) }
    }

    /// The range without blanks at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Self.isBlank(self[start]) { start += 1 }
        while end > start, Self.isBlank(self[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Space, tab, line feed, carriage return: the white space of XML, JSON and lines.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Writes a Unicode scalar as UTF-8.
    ///
    /// - Returns: The offset after the scalar.
    func write(_ scalar: Unicode.Scalar, at offset: Int) -> Int {
        var place = offset
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            self[place] = unit
            place += 1
        }
        return place
    }
}

/// Locked memory that collects the parts of an export as they arrive: the files of a folder, the items of a keyring.
public struct GrowingDocument: ~Copyable {
    /// The number of bytes in the document.
    public private(set) var count = 0
    private var memory: SecretBytes

    /// Makes an empty document.
    public init() throws(ImportError) {
        memory = try Self.memory(64 << 10)
    }

    /// Adds bytes.
    ///
    /// - Returns: The range of the bytes in the document.
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

    /// Returns the content, with unused memory after it.
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
