/// What changes in a file, as `diff -u` shows it and `patch` takes it: one stretch of lines, with three around it.
enum TextDiff {
    private static let context = 3

    /// The difference of two texts, empty where nothing differs; nil is a file that is not there.
    static func between(_ old: [UInt8]?, and new: [UInt8]?, path: String) -> [UInt8] {
        guard old != new else { return [] }
        let (before, after) = (lines(of: old ?? []), lines(of: new ?? []))
        let head = zip(before, after).prefix { $0 == $1 }.count
        let rest = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let start = max(0, head - context)
        let more = min(context, tail)
        let (gone, come) = (before.count - head - tail, after.count - head - tail)
        let around = head - start + more
        var text =
            header("---", old == nil ? "/dev/null" : path) + header("+++", new == nil ? "/dev/null" : path)
        // A file that comes or goes empty has no lines to show.
        guard around + gone + come > 0 else { return text }
        text += Array("@@ -\(range(start, around + gone)) +\(range(start, around + come)) @@\n".utf8)
        for line in before[start..<head] { text += marked(" ", line) }
        for line in before[head..<head + gone] { text += marked("-", line) }
        for line in after[head..<head + come] { text += marked("+", line) }
        for line in before[(head + gone)...].prefix(more) { text += marked(" ", line) }
        return text
    }

    private static func header(_ mark: String, _ path: String) -> [UInt8] {
        Array("\(mark) \(path)\n".utf8)
    }

    /// Where a stretch begins, counted from 1, and its length; one without lines begins with the line before it.
    private static func range(_ start: Int, _ count: Int) -> String {
        count == 0 ? "\(start),0" : count == 1 ? "\(start + 1)" : "\(start + 1),\(count)"
    }

    private static func marked(_ mark: String, _ line: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(mark.utf8) + line
        return line.last == 0x0A ? text : text + Array("\n\\ No newline at end of file\n".utf8)
    }

    /// The lines with their line feeds.
    private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = text[...]
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }
}
