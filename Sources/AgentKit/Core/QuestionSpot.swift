package import AgentProtocol

/// The place of a question: its kind, and its display or device.
package struct QuestionSpot: Equatable, Sendable {
    /// The kind of place.
    package let place: QuestionPlace
    /// The display or the device; nil for a place that has none.
    package let at: String?

    /// A place; nil for one at which no person is asked.
    package init?(_ place: QuestionPlace?, _ at: String?) {
        guard let place, place != .nobody else { return nil }
        (self.place, self.at) = (place, at)
    }
}
