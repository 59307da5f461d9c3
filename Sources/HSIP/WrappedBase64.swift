/// A run of base64 in pasted text that may continue over several lines.
///
/// A message does not contain its length. So the first line alone counts if it is a message. Otherwise the lines below
/// are joined while they are pure base64 of one width, as programs wrap them. The last line may be shorter. The time is
/// linear: lines of one width that begin like a message decode as one after a few lines, and are not read again.
struct WrappedBase64 {
    /// The message, if the run is one.
    let envelope: MessageEnvelope?
    /// Whether the run is a message of a newer program.
    let isNewer: Bool
    /// The index after the base64 of the first line.
    let firstEnd: Int
    /// The index after the message; equal to `firstEnd` if there is no message.
    let end: Int

    /// The number of characters by which the first line may differ from the width of the lines below.
    private static let headRoom = 8

    /// Reads from `start`, the first character of base64.
    init(in text: [UInt8], from start: Int) {
        firstEnd = Self.runEnd(in: text, from: start)
        let whole = MessageText.read(text[start..<firstEnd])
        guard whole.envelope == nil, !whole.isNewer, Self.beginsMessage(text[start..<firstEnd]) else {
            (envelope, isNewer, end) = (whole.envelope, whole.isNewer, firstEnd)
            return
        }
        var joined = Array(text[start..<firstEnd])
        var stops: [(count: Int, end: Int)] = []
        // The first line shares its width with a lock symbol, so the second line shows the width.
        var width = (firstEnd - start - Self.headRoom)...(firstEnd - start + Self.headRoom)
        var place = firstEnd
        while joined.last != 0x3D, joined.count <= MessageText.encodedSizes.upperBound,
            let line = Self.nextLine(in: text, after: place), line.count <= width.upperBound
        {
            joined += text[line]
            place = line.upperBound
            stops.append((joined.count, place))
            if line.count < width.lowerBound { break }
            width = line.count...line.count
        }
        for stop in stops.reversed() where stop.count.isMultiple(of: 4) {
            let whole = MessageText.read(joined[..<stop.count])
            guard whole.envelope == nil, !whole.isNewer else {
                (envelope, isNewer, end) = (whole.envelope, whole.isNewer, stop.end)
                return
            }
        }
        (envelope, isNewer, end) = (nil, false, firstEnd)
    }

    /// The end of the run that begins at `start`: base64 digits, then every `=`, so that surplus ones are not read as
    /// the text that follows.
    static func runEnd(in text: [UInt8], from start: Int) -> Int {
        var end = start
        while end < text.count, isDigit(text[end]) { end += 1 }
        guard end > start else { return start }
        while end < text.count, text[end] == 0x3D { end += 1 }
        return end
    }

    /// The run at `start`, if the rest of that line is empty.
    static func line(in text: [UInt8], from start: Int) -> Range<Int>? {
        let end = runEnd(in: text, from: start)
        guard end > start, lineEnds(in: text, at: end) != nil else { return nil }
        return start..<end
    }

    /// The index after spaces, tabs and the `>` of quoted text.
    static func skipQuotes(in text: [UInt8], from start: Int) -> Int {
        var place = start
        while place < text.count, text[place] == 0x20 || text[place] == 0x09 || text[place] == 0x3E {
            place += 1
        }
        return place
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
        default: false
        }
    }

    private static func nextLine(in text: [UInt8], after place: Int) -> Range<Int>? {
        guard let feed = lineEnds(in: text, at: place), feed < text.count else { return nil }
        return line(in: text, from: skipQuotes(in: text, from: feed + 1))
    }

    /// The index of the line feed or the end of the text, if only blanks are before it.
    private static func lineEnds(in text: [UInt8], at start: Int) -> Int? {
        var place = start
        while place < text.count, text[place] == 0x20 || text[place] == 0x09 || text[place] == 0x0D {
            place += 1
        }
        return place == text.count || text[place] == 0x0A ? place : nil
    }

    /// Whether the first byte of the decoded run would be 01, or 02 or 03 as in messages of newer programs.
    private static func beginsMessage(_ run: ArraySlice<UInt8>) -> Bool {
        guard run.count >= 20, run.first == 0x41, let second = run.dropFirst().first else { return false }
        return !(0x41...0x50).contains(second)
    }
}
