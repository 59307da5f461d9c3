/// Counts lines while a text is read, each once.
struct LineCount {
    private var place = 0
    private var line = 1

    /// The line of a place, which is not before the last one asked for.
    mutating func line(of offset: Int, _ bytes: DocumentBytes) -> Int {
        while place < offset {
            if bytes[place] == 0x0A { line += 1 }
            place += 1
        }
        return line
    }
}
