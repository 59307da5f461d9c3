/// Counts the lines of a document that is decoded where it stands, for messages.
///
/// What was decoded may hold more line feeds than were written, or some of them twice: so it is counted before, and
/// passed over then.
struct LineCount {
    private var place = 0
    private var line = 1

    /// Counts up to a place, before anything behind the last one is decoded.
    mutating func advance(to offset: Int, _ bytes: DocumentBytes) {
        line = line(of: offset, bytes)
        place = max(place, offset)
    }

    /// Says that everything up to a place was decoded, and how many line feeds it had.
    mutating func pass(to offset: Int, over lineFeeds: Int = 0) {
        place = max(place, offset)
        line += lineFeeds
    }

    /// The line of a place that is not before the last one, from 1.
    func line(of offset: Int, _ bytes: DocumentBytes) -> Int {
        var found = line
        var next = place
        while next < min(offset, bytes.count) {
            if bytes[next] == 0x0A { found += 1 }
            next += 1
        }
        return found
    }
}
