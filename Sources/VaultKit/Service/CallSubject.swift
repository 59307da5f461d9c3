internal import Credentials
internal import HSIP
internal import SSHFormats
internal import VaultPolicy

/// An argument that names what an operation is about: a person, a key, a host.
protocol CallSubject {
    /// The names; none where this value has none. Never content, never a secret.
    var callSubjects: [String] { get }
}

/// An argument with one name at most.
protocol OneCallSubject: CallSubject {
    /// The name; nil where this value has none.
    var callSubject: String? { get }
}

extension OneCallSubject {
    var callSubjects: [String] { callSubject.map { [$0] } ?? [] }
}

/// Several names in one text.
enum CallSubjects {
    /// The first, and how many there are besides it.
    static func summary(of subjects: [String]) -> String {
        guard let first = subjects.first else { return "" }
        return subjects.count == 1 ? first : "\(first) +\(subjects.count - 1)"
    }
}

extension String: OneCallSubject {
    var callSubject: String? { self }
}

extension HostName: OneCallSubject {
    var callSubject: String? { lookup }
}

extension NewHost: OneCallSubject {
    var callSubject: String? { name }
}

extension KeyImport: OneCallSubject {
    var callSubject: String? { name }
}

extension LegacyImport: OneCallSubject {
    var callSubject: String? { alias }
}

extension AcceptOptions: OneCallSubject {
    var callSubject: String? { contact ?? alias }
}

extension Comparison: OneCallSubject {
    var callSubject: String? { contact.alias }
}

extension PeerID: OneCallSubject {
    var callSubject: String? { text }
}

extension CredentialReference: OneCallSubject {
    var callSubject: String? { name }
}

extension Rule: OneCallSubject {
    var callSubject: String? { name }
}

/// An argument that another person made: a message, or a code.
protocol SentArgument {
    /// Who made it, as it says itself; nil where it does not.
    var sentBy: PeerID? { get }
}

extension MessageEnvelope: SentArgument {
    var sentBy: PeerID? { sender }
}

extension ExchangeCode: SentArgument {
    var sentBy: PeerID? {
        switch self {
        case .offer(let offer): offer.peerID
        case .answer(let answer): answer.peerID
        case .rotate, .accept, .verify, .revoke: nil
        }
    }
}

extension Optional: SentArgument where Wrapped: SentArgument {
    var sentBy: PeerID? { self?.sentBy }
}

extension Optional: CallSubject where Wrapped: CallSubject {
    var callSubjects: [String] { self?.callSubjects ?? [] }
}

extension Array: CallSubject where Element: CallSubject {
    var callSubjects: [String] { flatMap(\.callSubjects) }
}
