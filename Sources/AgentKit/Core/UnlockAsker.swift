package import AgentProtocol
package import VaultCrypto

/// Asks a person for the secret of the vault, for one of those who wait for it.
package protocol UnlockAsker: Sendable {
    /// How often a secret may be tried: three times on a terminal, once elsewhere.
    var tries: Int { get }

    /// Whether what a person says holds for all who wait: so for a window, where it would only open again. At a
    /// terminal it holds for that terminal's program, and the next one who waits asks at its own.
    var speaksForAll: Bool { get }

    /// Whether the person sits at the desktop, where a keyring would ask for its password; not over SSH.
    var isAtDesktop: Bool { get }

    /// Where its question appears; nil if that is not known.
    var spot: QuestionSpot? { get }

    /// Another person is being asked, and this caller waits for the same answer.
    ///
    /// - Parameter spot: where that question appears; nil if that is not known.
    func waits(at spot: QuestionSpot?)

    /// Asks, and waits until there is an answer or `cancellation` is over.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first time; above that the secret before was wrong.
    ///   - vault: what the vault is called, for the question.
    ///   - cancellation: ends the wait.
    /// - Returns: what the person typed.
    /// - Throws: `Refusal.dismissed`, `late`, `cancelled`; `locked` when this way reaches no person;
    ///   `exhausted`.
    func secret(attempt: Int, of vault: String, _ cancellation: Cancellation) throws(Refusal) -> Secret

    /// Asks for the PIN of a key slot.
    ///
    /// - Returns: nil if the person wants to type the passphrase, and if this way can ask for no PIN.
    /// - Throws: as `secret`.
    func pin(attempt: Int, of offer: SlotOffer, _ cancellation: Cancellation) throws(Refusal) -> Secret?

    /// Shows what has to be touched until `cancellation` is over, or the person wants to type the passphrase.
    ///
    /// - Throws: as `secret`; `locked` when this way can show nothing.
    func touch(_ offer: SlotOffer, _ cancellation: Cancellation) throws(Refusal)

    /// The secret that it brought has opened the vault.
    func accepted()
}

extension UnlockAsker {
    package var speaksForAll: Bool { true }
    package var isAtDesktop: Bool { true }
    package var spot: QuestionSpot? { nil }
    package func waits(at spot: QuestionSpot?) {}
    package func accepted() {}
    package func pin(
        attempt: Int,
        of offer: SlotOffer,
        _ cancellation: Cancellation
    ) throws(Refusal) -> Secret? { nil }
    package func touch(_ offer: SlotOffer, _ cancellation: Cancellation) throws(Refusal) { throw .locked }
}

/// The place of a question: its kind, and its display or device.
package struct QuestionSpot: Equatable, Sendable {
    /// The kind of place.
    package let place: QuestionPlace
    /// The display or the device; nil for a place that has none.
    package let at: String?

    /// A place; nil for one at which no person is asked.
    package init?(_ place: QuestionPlace?, _ at: String?) {
        guard let place, place != .nobody else { return nil }
        (self.place, self.at) = (place, at)
    }
}
