package import RecordStore

/// A key slot that the vault has under its next key; present ones that are not named go.
package enum RekeyedSlot: Sendable {
    /// The slot of this number, wrapped to the next key without its secret.
    case carried(UInt32)
    /// The slot of this number made again from its secret, with its label and time.
    case remade(UInt32, Unlock)
    /// A slot that was not there.
    case new(NewSlot)
}

/// What a change of the vault key has done.
package struct RekeyReport: Equatable, Sendable {
    /// Where the vault stands now.
    package let position: Position
    /// How many records it has.
    package let records: Int
    /// Its key slots.
    package let slots: [SlotInfo]
}
