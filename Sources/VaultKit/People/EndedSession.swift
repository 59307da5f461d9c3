public import HSIP

/// What is remembered of a pairing that ended: how, never its keys or counters.
public struct EndedSession: Sendable, Hashable, Codable {
    /// Its name.
    public let pairing: PairingID
    /// My role.
    public let role: Role
    /// Made from an imported key.
    public let isLegacy: Bool
    /// How it ended.
    public let end: Contact.End

    /// Those of a contact, the newest end first; they are kept until 30 days past their natural end.
    static func all(of peer: PeerID, in book: Book) -> [EndedSession] {
        book.pairings.values.compactMap { pairing -> EndedSession? in
            guard pairing.contact == peer, case .ended(let end) = pairing.state else { return nil }
            return EndedSession(
                pairing: pairing.id,
                role: pairing.role,
                isLegacy: pairing.profile == .single,
                end: Contact.End(byPeer: end.byPeer, at: end.at, reason: end.reason)
            )
        }
        .sorted { ($1.end.at, $0.pairing) < ($0.end.at, $1.pairing) }
    }
}
