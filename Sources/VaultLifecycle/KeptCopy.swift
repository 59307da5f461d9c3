package import JSON
internal import SafeText

/// An old copy of a vault that was moved: of no use to the program, and there for the day when something turns
/// out to be wrong.
package struct KeptCopy: Equatable, Sendable {
    /// How long it is kept.
    package static let span: Int64 = 30 * 24 * 3_600

    package var location: Location
    /// Unix seconds; from then on `doctor --fix` offers to remove it.
    package let until: Int64

    package init(_ location: Location, until: Int64) {
        self.location = location
        self.until = until
    }

    package init?(_ tree: JSONValue) {
        guard let location = Location(tree), let until = tree["until"]?.text.flatMap({ Times.parse($0) })
        else { return nil }
        self.init(location, until: until)
    }

    package var tree: JSONValue {
        var tree = location.tree
        tree["until"] = .text(Times.rfc3339(until))
        return tree
    }
}
