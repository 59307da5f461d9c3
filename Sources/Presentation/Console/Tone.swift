/// The four meanings that a colour may have, and the table's heading.
package enum Tone: Sendable {
    case plain
    /// Refused, dangerous.
    case danger
    /// Act soon.
    case soon
    /// Verified.
    case good
    /// Past.
    case past
    case heading
}
