/// One line of the table: what was measured, against what, and what is asked for.
struct Row {
    /// What is asked of a measurement.
    enum Target {
        /// As fast as the peer up to this part: ratio is the peer's time over ours.
        case speed(atLeast: Double)
        /// As slow as the peer up to this factor: ratio is our time over the peer's.
        case time(atMost: Double)
        /// A bound of its own, and whether it is kept; the ratio is only told.
        case bound(String, isMet: Bool)
        /// Nothing: the line is there to be known.
        case none
    }

    let what: String
    let ours: String
    let peer: String
    let ratio: Double?
    let target: Target

    /// Whether the target is met; nil when there is none.
    var isMet: Bool? {
        switch target {
        case .speed(let least): ratio.map { $0 >= least }
        case .time(let most): ratio.map { $0 <= most }
        case .bound(_, let isMet): isMet
        case .none: nil
        }
    }

    /// The line as cells, in the order of `header`.
    var cells: [String] {
        let wanted =
            switch target {
            case .speed(let least): "speed ≥ \(Format.ratio(least))"
            case .time(let most): "time ≤ \(Format.ratio(most))"
            case .bound(let text, _): text
            case .none: "-"
            }
        let verdict = isMet.map { $0 ? "ok" : "MISS" } ?? ""
        return [what, ours, peer, ratio.map(Format.ratio) ?? "-", wanted, verdict]
    }

    static let header = ["what", "ours", "peer", "ratio", "target", ""]
}
