/// The hashes of the entries up to the head, the newest last: at most 4,096 of them.
///
/// A compaction carries its list, so that a machine that was away finds its own head in it. A machine that takes a compaction that way
/// takes the list over; else the next to be away could not find its head.
package struct ChainList: Hashable, Sendable {
    /// The place of the first hash.
    package private(set) var first: UInt64
    /// One for each entry, without a gap.
    package private(set) var hashes: [[UInt8]]

    /// Before the first entry.
    package init() { (first, hashes) = (1, []) }

    /// Hashes as records have them, the last of them at `place`; what is too old is left out.
    package init(endingAt place: UInt64, _ hashes: [[UInt8]]) {
        let newest = hashes.suffix(min(LogLimits.chain, Int(clamping: place)))
        self.hashes = Array(newest)
        first = place + 1 - UInt64(newest.count)
    }

    /// The place of the last hash; one less than `first` if there is none.
    package var last: UInt64 { first + UInt64(hashes.count) - 1 }

    /// The newest head; nil if there is none.
    package var head: LogHead? { hashes.last.map { LogHead(place: last, hash: $0) } }

    /// The hash at a place; nil where it is not remembered.
    package subscript(place: UInt64) -> [UInt8]? {
        place >= first && place <= last ? hashes[Int(place - first)] : nil
    }

    /// Whether both say the same of all places that both know.
    func agrees(with other: ChainList) -> Bool {
        let (low, high) = (max(first, other.first), min(last, other.last))
        guard low <= high else { return true }
        return (low...high).allSatisfy { self[$0] == other[$0] }
    }

    mutating func append(_ hash: [UInt8]) {
        hashes.append(hash)
        // In steps, so that not every entry moves all of them.
        guard hashes.count >= 2 * LogLimits.chain else { return }
        first += UInt64(hashes.count - LogLimits.chain)
        hashes.removeFirst(hashes.count - LogLimits.chain)
    }

    /// The newest hashes, for a compaction.
    var newest: ArraySlice<[UInt8]> { hashes.suffix(LogLimits.chain) }
}
