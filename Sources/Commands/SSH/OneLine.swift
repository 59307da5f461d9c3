extension [UInt8] {
    /// The bytes as one line with a line feed at its end: a comment may hold line breaks, a file of keys may not.
    var oneLine: [UInt8] { filter { $0 != 0x0A && $0 != 0x0D } + [0x0A] }
}
