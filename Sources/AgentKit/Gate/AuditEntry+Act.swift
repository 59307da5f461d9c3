internal import VaultKit
internal import VaultPolicy

extension AuditEntry {
    /// The entry of an act; time, verdict and reason are added when it is written.
    init(_ act: Act, by requester: Requester) {
        switch act {
        case .sign(let key, let purpose, let route):
            self.init(.sign, .allowed, time: 0, act: purpose.kind.rawValue, subject: key.name)
            target = Self.target(purpose)
            if case .forwarded(let hosts) = route {
                target += " through \(hosts.isEmpty ? "an unnamed host" : hosts.joined(separator: ", "))"
            }
        case .read(let kind, let name): self.init(.read, .allowed, time: 0, act: kind, subject: name)
        case .use(let kind, let name): self.init(.use, .allowed, time: 0, act: kind, subject: name)
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

    /// Says who asked: the path of the program, and the names of those that started it.
    mutating func add(_ requester: Requester) {
        program = ([requester.program.path ?? ""] + requester.chain.dropFirst()).joined(separator: " ← ")
        process = requester.pid
        user = requester.uid
    }
}
