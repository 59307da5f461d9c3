internal import HSIP

/// Whom or what a call is about, by its arguments: names of people, keys, hosts and secrets, never what they hold.
struct CallSubjects: Sendable {
    /// The names.
    private(set) var names: [String] = []
    /// Who made the messages and codes among the arguments, as these say: a rule about a person counts, whether the call
    /// names them or not.
    private(set) var senders: [PeerID] = []

    /// What else a person must see before they say yes; nil where the names say it.
    private(set) var detail: String?

    /// Nothing that has a name.
    static let none = Self()

    /// These names, as far as there are any.
    static func named(_ names: String?...) -> Self { Self(names: names.compactMap(\.self)) }

    /// All of these.
    static func named(_ names: [String]) -> Self { Self(names: names) }

    /// The same, and what a person must see besides.
    func detailed(_ detail: String) -> Self {
        var subjects = self
        subjects.detail = detail
        return subjects
    }

    /// The same, and who made a message or a code; nil where it does not say.
    func sent(by sender: PeerID?) -> Self {
        var subjects = self
        if let sender { subjects.senders.append(sender) }
        return subjects
    }
}

extension ExchangeCode {
    /// Who made it, as it says itself; nil where it does not.
    var sentBy: PeerID? {
        switch self {
        case .offer(let offer): offer.peerID
        case .answer(let answer): answer.peerID
        case .rotate, .accept, .verify, .revoke: nil
        }
    }
}
