/// A number and its noun.
package enum Plural {
    /// `1 secret`, `2 secrets`.
    package static func of(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
