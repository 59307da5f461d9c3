package import VaultPolicy

/// The kind of an event in the audit log.
public enum AuditKind: UInt8, Sendable, CaseIterable, Codable {
    /// The vault was opened, or opening it was refused.
    case unlock = 1
    /// The vault was closed; the reason is in the entry.
    case lock = 2
    /// A signature by an SSH key.
    case sign = 3
    /// A secret was read.
    case read = 4
    /// A secret was used without leaving the vault.
    case use = 5
    /// A key of a person or of a host was trusted.
    case trust = 6
    /// A trusted key was replaced by another.
    case replace = 7
    /// A rule of the policy was made or removed.
    case rule = 8
    /// Something else in the vault was changed.
    case change = 9
    /// A key was added to the agent, or removed from it.
    case key = 10
    /// The log itself was found cut or damaged, and continues from here.
    case log = 11

    /// The kind, as the command line and the JSON output spell it.
    public var word: String {
        switch self {
        case .unlock: "unlock"
        case .lock: "lock"
        case .sign: "sign"
        case .read: "read"
        case .use: "use"
        case .trust: "trust"
        case .replace: "replace"
        case .rule: "rule"
        case .change: "change"
        case .key: "key"
        case .log: "log"
        }
    }
}

extension AuditEntry {
    /// Makes the entry of an act; time, verdict and reason are added when it is written.
    ///
    /// `audit` is the kind of entry for an act that decides later verdicts, or that a program on the bus asks for. Nil means
    /// `change`, or `read` if a value is returned.
    package init(_ act: Act, by requester: Requester, _ audit: AuditKind? = nil) {
        switch act {
        case .sign(let key, let purpose, let route):
            self.init(.sign, .allowed, time: 0, act: purpose.kind.rawValue, subject: key.name)
            target = Self.target(purpose)
            if let hosts = route.way {
                target += " through \(hosts.isEmpty ? "an unnamed host" : hosts.joined(separator: ", "))"
            }
        case .read(let operation, let name):
            self.init(.read, .allowed, time: 0, act: operation, subject: name)
        case .use(let operation, let name):
            self.init(.use, .allowed, time: 0, act: operation, subject: name)
        case .decide(let operation, let name):
            self.init(audit ?? .change, .allowed, time: 0, act: operation, subject: name)
        case .item(let operation, let item):
            self.init(audit ?? .read, .allowed, time: 0, act: operation, subject: item.name)
            target = item.owner?.text ?? ""
        case .itemChange(let operation, let item):
            self.init(audit ?? .change, .allowed, time: 0, act: operation, subject: item.name)
            target = item.owner?.text ?? ""
        case .applicationKey(let operation, let name):
            self.init(audit ?? .read, .allowed, time: 0, act: operation, subject: name)
        case .collection(let operation, let name):
            self.init(audit ?? .change, .allowed, time: 0, act: operation, subject: name)
        }
        add(requester)
    }

    private static func target(_ purpose: Purpose) -> String {
        switch purpose {
        case .login(let user, let host?): "\(user)@\(host.names.first ?? host.fingerprint)"
        case .login(let user, nil): "\(user)@"
        case .file(let namespace): namespace
        case .certificate, .raw: ""
        }
    }

    /// Adds the requester: the path of the program, and the names of the programs that started it.
    package mutating func add(_ requester: Requester) {
        program = ([requester.program.path ?? ""] + requester.chain.dropFirst()).joined(separator: " ← ")
        process = requester.pid
        user = requester.uid
    }

    /// The names of the acts that begin and end a lease.
    package static let lease = "lease"
    package static let leaseEnd = "lease.end"
    /// The name of the act that answers, from elsewhere, a question which waits in a window.
    package static let requestAnswer = "request.answer"

    /// Whether the entry belongs to a lease, or to an act that the lease allowed.
    func isOfLease(_ number: UInt64, numbered sequence: UInt64) -> Bool {
        let code = Reason.leaseCode(number)
        return sequence == number && kind == .rule && act == Self.lease || reason == code
            || reason.hasPrefix(code + " ")
    }

    /// Whether the entry must survive a power cut, because it changes later verdicts.
    package var mustLast: Bool { [.trust, .replace, .rule].contains(kind) }
}
