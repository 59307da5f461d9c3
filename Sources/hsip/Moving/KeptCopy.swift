internal import Console

/// An old copy of a vault that was moved: of no use to the program, and there for the day when something turns
/// out to be wrong.
struct KeptCopy: Equatable {
    /// How long it is kept.
    static let span: Int64 = 30 * 24 * 3_600

    var location: Location
    /// Unix seconds; from then on `doctor --fix` offers to remove it.
    let until: Int64

    init(_ location: Location, until: Int64) {
        self.location = location
        self.until = until
    }

    init?(_ tree: JSONTree) {
        guard let location = Location(tree), let until = tree["until"].text.flatMap({ Times.parse($0) })
        else { return nil }
        self.init(location, until: until)
    }

    var tree: JSONTree {
        var tree = location.tree
        tree["until"] = .text(Times.rfc3339(until))
        return tree
    }

    var json: JSONValue {
        ["location": location.json, "untilAt": .text(Times.rfc3339(until))]
    }
}
