/// Scans pasted text once, and finds every message in it.
///
/// The time is linear: each lock or head reads only the lines up to the next one, and each run of base64 is skipped after
/// it was read. A message is decoded at most three times.
struct MessageFinder {
    /// Fewer base64 characters after a lock are words, not a damaged message.
    private static let shortestDamaged = 16
    /// The number of lines below its head in which the base64 of a verbose message may begin.
    private static let linesBelowHead = 16

    private let text: [UInt8]
    private let stealth: Bool
    private var found: [FoundMessage] = []

    init(text: [UInt8], stealth: Bool) {
        self.text = text
        self.stealth = stealth
    }

    mutating func run() -> [FoundMessage] {
        var place = 0
        while place < text.count {
            place = step(at: place)
        }
        return found
    }

    /// Examines one index, and returns the next index to examine.
    private mutating func step(at place: Int) -> Int {
        let byte = text[place]
        if byte == 0xF0, Self.has(MessageText.lock, in: text, at: place) {
            let behind = skipSpaces(skipSelectors(place + MessageText.lock.count))
            if Self.has(MessageText.bracket, in: text, at: behind) { return block(at: place, isNamed: true) }
            if behind == text.count || text[behind] == 0x0A || text[behind] == 0x0D {
                return block(at: place, isNamed: false)
            }
            return compact(at: place, from: behind)
        }
        if byte == 0x5B, Self.has(MessageText.bracket, in: text, at: place) {
            return block(at: place, isNamed: true)
        }
        return WrappedBase64.isDigit(byte) ? bare(at: place) : place + 1
    }

    /// Reads a lock with text after it on its line.
    private mutating func compact(at place: Int, from start: Int) -> Int {
        let run = WrappedBase64(in: text, from: start)
        if let envelope = run.envelope {
            found.append(FoundMessage(range: place..<run.end, envelope: envelope))
            return run.end
        }
        if run.firstEnd - start >= Self.shortestDamaged {
            found.append(FoundMessage(range: place..<run.end, envelope: nil, isNewer: run.isNewer))
        }
        return max(run.end, place + MessageText.lock.count)
    }

    /// Reads the head of a verbose message, or a lock alone on its line; the base64 is on a later line.
    private mutating func block(at place: Int, isNamed: Bool) -> Int {
        let headEnd = lineEnd(place)
        var end = headEnd
        for _ in 0..<Self.linesBelowHead where end < text.count {
            let start = skipQuotes(end + 1)
            end = lineEnd(start)
            if hasMarker(start..<end) { break }
            guard let run = WrappedBase64.line(in: text, from: start), run.count >= Self.shortestDamaged
            else {
                continue
            }
            let wrapped = WrappedBase64(in: text, from: start)
            if wrapped.envelope != nil || wrapped.isNewer {
                found.append(
                    FoundMessage(
                        range: place..<wrapped.end,
                        envelope: wrapped.envelope,
                        isNewer: wrapped.isNewer
                    )
                )
                return wrapped.end
            }
        }
        if isNamed { found.append(FoundMessage(range: place..<headEnd, envelope: nil)) }
        return headEnd
    }

    /// Reads a run of base64 without a lock: it is a message only with `stealth`, and if it decodes.
    private mutating func bare(at place: Int) -> Int {
        guard stealth else { return WrappedBase64.runEnd(in: text, from: place) }
        let run = WrappedBase64(in: text, from: place)
        if let envelope = run.envelope {
            found.append(FoundMessage(range: place..<run.end, envelope: envelope))
        }
        return run.end
    }

    static func has(_ pattern: [UInt8], in text: [UInt8], at place: Int) -> Bool {
        place + pattern.count <= text.count && text[place] == pattern[0]
            && text[place..<(place + pattern.count)].elementsEqual(pattern)
    }

    private func hasMarker(_ range: Range<Int>) -> Bool {
        range.contains { place in
            Self.has(MessageText.lock, in: text, at: place)
                || Self.has(MessageText.bracket, in: text, at: place)
        }
    }

    /// The index after the variation selectors (U+FE0E, U+FE0F) that some programs put after an emoji.
    private func skipSelectors(_ place: Int) -> Int {
        var place = place
        while Self.has([0xEF, 0xB8, 0x8F], in: text, at: place)
            || Self.has([0xEF, 0xB8, 0x8E], in: text, at: place)
        {
            place += 3
        }
        return place
    }

    private func skipSpaces(_ place: Int) -> Int {
        var place = place
        while place < text.count, text[place] == 0x20 || text[place] == 0x09 { place += 1 }
        return place
    }

    private func skipQuotes(_ place: Int) -> Int { WrappedBase64.skipQuotes(in: text, from: place) }

    private func lineEnd(_ place: Int) -> Int {
        text[min(place, text.count)...].firstIndex(of: 0x0A) ?? text.count
    }
}

/// A range of pasted text with a message, or with an attempt at one.
public struct FoundMessage: Hashable, Sendable {
    /// The range of the message in the text, with its lock or head.
    public let range: Range<Int>
    /// The message; nil if it is damaged, or was written by a newer program.
    public let envelope: MessageEnvelope?
    /// Whether a newer program wrote it.
    public let isNewer: Bool

    /// Makes a result.
    public init(range: Range<Int>, envelope: MessageEnvelope?, isNewer: Bool = false) {
        self.range = range
        self.envelope = envelope
        self.isNewer = isNewer
    }

    /// The error if the message cannot be opened.
    public var refusal: HSIPError { isNewer ? .unsupportedVersion : .malformedMessage }
}
