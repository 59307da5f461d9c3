/// An entry that is ready to be sent: durable in the vault first, and sent again as it is until its place is taken.
package struct WrittenEntry: Hashable, Sendable {
    /// The place and hash that it will have.
    package let head: LogHead
    /// What the server gets.
    package let bytes: [UInt8]
}
