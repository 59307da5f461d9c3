package import RecordStore

/// What becomes of one key slot when the key of its vault is changed.
package struct SlotFate: Equatable, Sendable {
    /// What becomes of it, and why.
    package enum Outcome: String, Sendable {
        /// It stays; its secret is not needed for that.
        case carried
        /// It stays, made again from its secret, which is here.
        case remade
        /// It goes, and one with a new secret comes in its place: the keyring may have been read together with the vault.
        case renewed
        /// It goes, as was asked for.
        case dropped
        /// It goes: its secret is not here, or nothing is to be carried over.
        case ended
    }

    package let slot: SlotInfo
    package let outcome: Outcome

    /// Whether the secret opens the vault afterwards.
    package var stays: Bool { outcome == .carried || outcome == .remade }

    /// What becomes of every slot.
    ///
    /// - Parameters:
    ///   - slots: The slots of the vault.
    ///   - carried: The numbers of those that can be carried over.
    ///   - here: The numbers of those whose secret is here; of a slot in the keyring, whose item is there.
    ///   - dropped: The numbers of those to remove.
    ///   - isFresh: Nothing is carried over; of what is here, only a passphrase stays.
    /// - Returns: One fate a slot, in their order.
    package static func of(
        _ slots: [SlotInfo],
        carried: [UInt32],
        here: Set<UInt32>,
        dropped: Set<UInt32>,
        isFresh: Bool
    ) -> [SlotFate] {
        slots.map { slot in
            let outcome: Outcome =
                if dropped.contains(slot.number) {
                    .dropped
                } else if isFresh {
                    here.contains(slot.number) && slot.kind == .passphrase ? .remade : .ended
                } else if carried.contains(slot.number) {
                    .carried
                } else if !here.contains(slot.number) {
                    .ended
                } else {
                    slot.kind == .secretService ? .renewed : .remade
                }
            return SlotFate(slot: slot, outcome: outcome)
        }
    }
}
