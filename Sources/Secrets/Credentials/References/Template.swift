public import VaultCrypto

/// A text with placeholders that secrets fill: `{{ vault:NAME#FIELD }}`.
///
/// Two braces before any other text are plain text, so that templates of other programs stay unchanged.
public struct Template: Sendable {
    /// The most bytes of a text, and of a filled text.
    public static let longest = 1 << 20, longestFilled = 16 << 20
    /// The most placeholders of one text.
    public static let maximumHoles = 1_000

    enum Piece: Sendable, Equatable {
        case text(Range<Int>)
        case placeholder(Reference)
    }

    private let text: Secret
    private let pieces: [Piece]

    /// Reads a text, which may have any bytes.
    ///
    /// - Throws: `malformed` for a placeholder that is not a reference, or does not end on its line; `tooLarge`.
    public init(_ text: Secret) throws(TemplateError) {
        guard text.count <= Self.longest else { throw .tooLarge }
        self.text = text
        pieces = try text.withBytes { (text) throws(TemplateError) in try Self.pieces(of: text) }
    }

    /// The references in the placeholders, each once, in order.
    public var references: [Reference] {
        var seen: Set<Reference> = []
        return pieces.compactMap { piece in
            guard case .placeholder(let reference) = piece, seen.insert(reference).inserted else {
                return nil
            }
            return reference
        }
    }

    /// The text with its placeholders filled, byte for byte.
    ///
    /// - Throws: `missing` for a placeholder without its value; `tooLarge`; `outOfMemory`.
    public func filled(_ values: [Reference: Secret]) throws(TemplateError) -> SecretBytes {
        var parts: [any ByteSource] = []
        var size = 0
        for piece in pieces {
            let part: any ByteSource
            switch piece {
            case .text(let range):
                part = try Self.translating { () throws(CryptoError) in Secret(try text.slice(range)) }
            case .placeholder(let reference):
                guard let value = values[reference] else { throw .missing }
                part = value
            }
            size += part.count
            guard size <= Self.longestFilled else { throw .tooLarge }
            parts.append(part)
        }
        return try Self.translating { () throws(CryptoError) in try SecretBytes.joined(parts) }
    }

    private static func pieces(of text: borrowing RawSpan) throws(TemplateError) -> [Piece] {
        var pieces: [Piece] = []
        var (begun, place, line, placeholders) = (0, 0, 1, 0)
        while place < text.byteCount {
            guard let start = opening(in: text, at: place) else {
                if text.byte(at: place) == 0x0A { line += 1 }
                place += 1
                continue
            }
            var end = start
            while end < text.byteCount, text.byte(at: end) > 0x20, text.byte(at: end) != 0x7D { end += 1 }
            let close = blanks(in: text, from: end)
            guard end - start <= Reference.longest, isPair(text, at: close, of: 0x7D),
                let reference = Reference(reading: (start..<end).map { text.byte(at: $0) })
            else { throw .malformed(line: line) }
            placeholders += 1
            guard placeholders <= maximumHoles else { throw .tooLarge }
            if begun < place { pieces.append(.text(begun..<place)) }
            pieces.append(.placeholder(reference))
            place = close + 2
            begun = place
        }
        if begun < place { pieces.append(.text(begun..<place)) }
        return pieces
    }

    /// The index of the reference in a placeholder that opens at this index; nil if none opens.
    private static func opening(in text: borrowing RawSpan, at place: Int) -> Int? {
        guard isPair(text, at: place, of: 0x7B) else { return nil }
        let start = blanks(in: text, from: place + 2)
        let scheme = Array(Reference.scheme.utf8)
        guard start + scheme.count <= text.byteCount else { return nil }
        return scheme.indices.allSatisfy { text.byte(at: start + $0) == scheme[$0] } ? start : nil
    }

    private static func isPair(_ text: borrowing RawSpan, at place: Int, of byte: UInt8) -> Bool {
        place + 1 < text.byteCount && text.byte(at: place) == byte && text.byte(at: place + 1) == byte
    }

    private static func blanks(in text: borrowing RawSpan, from place: Int) -> Int {
        var place = place
        while place < text.byteCount, text.byte(at: place) == 0x20 || text.byte(at: place) == 0x09 {
            place += 1
        }
        return place
    }

    private static func translating<R: ~Copyable>(
        _ body: () throws(CryptoError) -> R
    ) throws(TemplateError) -> R {
        do throws(CryptoError) {
            return try body()
        } catch {
            throw .outOfMemory
        }
    }
}

/// The reason why a template cannot be read or filled.
public enum TemplateError: Error, Equatable, Sendable {
    /// A placeholder in this line is not a reference, or does not end.
    case malformed(line: Int)
    /// The text, the filled text, or the number of its placeholders exceeds the limit.
    case tooLarge
    /// A placeholder has no value.
    case missing
    /// No locked memory was available.
    case outOfMemory
}
