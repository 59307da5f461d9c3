/// A question that is answered with yes or no.
///
/// What came from outside is in these texts only as `SafeText` lets it through.
package struct ConfirmQuestion: Equatable, Sendable {
    /// One line that ends with a question mark.
    package var title: String
    /// What the person should know first, a line each: who asks, with which key, where to.
    package var lines: [String]
    /// Seconds for which a yes may hold, if the person wants that; nil where a yes is for this one time only.
    package var remember: Int?

    package init(title: String, lines: [String] = [], remember: Int? = nil) {
        self.title = title
        self.lines = lines
        self.remember = remember
    }
}
