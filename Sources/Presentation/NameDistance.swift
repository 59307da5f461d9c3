/// How many typing mistakes lie between two names.
package enum NameDistance {
    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment); case is free.
    package static func between(_ one: String, _ other: String) -> Int {
        let a = Array(one.lowercased())
        let b = Array(other.lowercased())
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        guard abs(a.count - b.count) < 64, a.count < 256 else { return .max }
        var older: [Int] = []
        var previous = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let same = a[i - 1] == b[j - 1] ? 0 : 1
                var best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + same)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, older[j - 2] + 1)
                }
                row.append(best)
            }
            older = previous
            previous = row
        }
        return previous[b.count]
    }
}
