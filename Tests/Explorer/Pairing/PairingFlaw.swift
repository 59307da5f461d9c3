/// A promise of pairing that a state breaks.
package enum PairingFlaw: String, Hashable, Sendable {
    /// A side would send what the other can read neither now nor after it takes the answer.
    case unreadable = "a message that the peer cannot read"
}
