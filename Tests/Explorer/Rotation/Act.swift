/// What a side does in one step.
package enum Act: Hashable, Sendable {
    /// Rule 1.
    case start
    /// Rule 0: shows a code again.
    case show
    /// Rule 4.
    case send
    /// The user says that the other program does not know suite 02.
    case mark
    /// A newer program is installed.
    case update
    /// Rule 6: the grace time of the past epoch of this index ends.
    case endGrace(UInt8)
    /// Rules 2, 3 and 5: takes the item of this number.
    case take(UInt8)
}
