/// A key slot that a device opens at this machine now, and the questions for it.
package struct SlotOffer: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// The question for its PIN, with what a wrong one costs; nil if it opens without.
    package let pin: String?
    /// What has to be touched; nil for a device that needs no touch.
    package let touch: String?

    /// An offer by its parts.
    package init(slot: UInt32, pin: String?, touch: String?) {
        self.slot = slot
        self.pin = pin
        self.touch = touch
    }
}

/// A key slot that a PIN, or none, opens.
package struct SlotPIN: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// Whether the last try of a security key may be spent.
    package let takesLastTry: Bool

    /// A slot, whose last try is left unless that is said.
    package init(slot: UInt32, takesLastTry: Bool = false) {
        (self.slot, self.takesLastTry) = (slot, takesLastTry)
    }
}
