package import AgentProtocol
package import VaultCrypto

/// Asks a person for the secret of the vault, for one of the waiting callers.
package protocol UnlockAsker: Sendable {
    /// The number of tries: three on a terminal, one elsewhere.
    var tries: Int { get }

    /// Whether the person's answer applies to all waiting callers.
    ///
    /// It does for a window, which would only open again. At a terminal it applies to the program of that terminal,
    /// and the next caller asks at its own.
    var speaksForAll: Bool { get }

    /// Whether the person uses the desktop, where a keyring would ask for its password; false over SSH.
    var isAtDesktop: Bool { get }

    /// The place of its prompt; nil if unknown.
    var spot: QuestionSpot? { get }

    /// Tells that another person is being asked, and that this caller waits for the same answer.
    ///
    /// - Parameter spot: the place of that prompt; nil if unknown.
    func waits(at spot: QuestionSpot?)

    /// Asks, and waits for an answer or for the end of `cancellation`.
    ///
    /// - Parameters:
    /// - attempt: 1 for the first time; a higher number means that the previous secret was wrong.
    /// - vault: the name of the vault, for the prompt.
    /// - cancellation: ends the wait.
    /// - Returns: the typed text.
    /// - Throws: `Refusal.dismissed`, `late`, `cancelled`; `locked` if no person can be reached this way;
    ///   `exhausted`.
    func secret(attempt: Int, of vault: String, _ cancellation: Cancellation) throws(Refusal) -> Secret

    /// Asks for the PIN of a key slot.
    ///
    /// - Returns: nil if the person wants to type the passphrase, or if this way cannot ask for a PIN.
    /// - Throws: the errors of `secret`.
    func pin(attempt: Int, of offer: SlotOffer, _ cancellation: Cancellation) throws(Refusal) -> Secret?

    /// Shows what to touch until `cancellation` ends, or the person wants to type the passphrase.
    ///
    /// - Throws: the errors of `secret`; `locked` if this way cannot show anything.
    func touch(_ offer: SlotOffer, _ cancellation: Cancellation) throws(Refusal)

    /// Tells that the secret opened the vault.
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

/// The place of a prompt: its kind, and its display or device.
package struct QuestionSpot: Equatable, Sendable {
    /// The kind of place.
    package let place: QuestionPlace
    /// The display or the device; nil if the kind has none.
    package let at: String?

    /// Creates a place; nil if no person is asked there.
    package init?(_ place: QuestionPlace?, _ at: String?) {
        guard let place, place != .nobody else { return nil }
        (self.place, self.at) = (place, at)
    }
}
