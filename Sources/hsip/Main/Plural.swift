/// A number and its noun.
enum Plural {
    /// `1 secret`, `2 secrets`.
    static func of(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
