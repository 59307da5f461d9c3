/// Other meanings of `fresh`, each of which leaves two people who never agree.
package enum PairingMistake: String, CaseIterable, Sendable {
    /// Anyone who sees the new pairing confirmed wipes the others.
    case wipesAtConfirmation = "wipes-at-confirmation"
    /// Anyone who sees the new pairing confirmed sends under the others no more.
    case receiveOnlyAtConfirmation = "receive-only-at-confirmation"
    /// The answerer mutes all others, also those that rank higher, instead of refusing.
    case mutesAll = "mutes-all"
}
