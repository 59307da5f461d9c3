/// A key slot whose PIN opens the vault at this machine now.
package struct SlotOffer: Equatable, Sendable {
    /// The number of the slot.
    package let slot: UInt32
    /// How many wrong PINs are accepted before the device refuses; nil if that is not known.
    package let triesLeft: UInt32?

    /// An offer by its parts.
    package init(slot: UInt32, triesLeft: UInt32?) {
        self.slot = slot
        self.triesLeft = triesLeft
    }
}
