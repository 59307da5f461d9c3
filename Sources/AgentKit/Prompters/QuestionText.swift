internal import SafeText
package import VaultPolicy

/// The words of the questions: who asks, for what, with which key and where to.
///
/// Names of programs, keys, users and hosts come from outside: each is cleaned and cut here, and what follows it
/// cannot be imitated by it, as every fact has a line of its own that begins with a word of ours.
package enum QuestionText {
    private static let display = Display(isUTF8: true)
    /// Programs of a chain that are shown; the nearest are those that matter.
    private static let mostPrograms = 5
    private static let programColumns = 24
    private static let hostColumns = 60

    /// The question whether an act may happen.
    ///
    /// - Parameter remember: seconds for which a yes may hold; nil for this one time only.
    package static func confirm(_ act: Act, by requester: Requester, remember: Int? = nil) -> ConfirmQuestion
    {
        ConfirmQuestion(
            title: "Allow \(name(of: requester)) to \(verb(act))?",
            lines: [program(requester)] + facts(act),
            remember: remember
        )
    }

    /// The question whether several secrets may be read at once; one by one where it is one.
    ///
    /// Every name is shown: nobody says yes to what cannot be seen.
    package static func confirm(
        _ acts: [Act],
        by requester: Requester,
        remember: Int? = nil
    ) -> ConfirmQuestion {
        guard acts.count > 1, let first = acts.first else {
            return acts.first.map { confirm($0, by: requester, remember: remember) }
                ?? ConfirmQuestion(title: "Allow nothing?", lines: [program(requester)])
        }
        let names = acts.map { display.name($0.subject) }.joined(separator: ", ")
        let what = if case .read = first { "have" } else { "use" }
        return ConfirmQuestion(
            title: "Allow \(name(of: requester)) to \(what) \(acts.count) secrets?",
            lines: [program(requester), "Secrets: \(names)"],
            remember: remember
        )
    }

    /// What a question for the vault's passphrase says of who waits for it.
    package static func waiting(for peer: Peer) -> [String] {
        let program = peer.programNow.path.map { Program.other(path: $0) } ?? .unknown
        return waiting(for: Requester(uid: peer.uid, pid: peer.pid, program: program, chain: peer.chain))
    }

    static func waiting(for requester: Requester) -> [String] {
        ["The vault is locked, and needed by \(name(of: requester)).", program(requester)]
    }

    private static func name(of requester: Requester) -> String {
        // The name of the file that runs, not the one that a process gave itself.
        guard let path = requester.program.path, let file = path.split(separator: "/").last else {
            return "an unknown program"
        }
        return display.name(String(file), columns: programColumns)
    }

    private static func program(_ requester: Requester) -> String {
        let names = requester.chain.prefix(mostPrograms).map { display.cell($0, columns: programColumns) }
        let rest = requester.chain.count > mostPrograms ? " ← …" : ""
        let path = requester.program.path.map {
            MiddleCut.cut(display.cell($0, columns: 400), to: 60, ellipsis: "…")
        }
        let chain = names.isEmpty ? path ?? "unknown" : names.joined(separator: " ← ") + rest
        let file = path.map { names.isEmpty ? "" : " (\($0))" } ?? (names.isEmpty ? "" : " (unknown program)")
        let process = requester.pid > 0 ? ", process \(requester.pid)" : ""
        return "Program: \(chain)\(file)\(process)"
    }

    private static func verb(_ act: Act) -> String {
        switch act {
        case .sign(let key, .login(let user, let host), _):
            let place = host?.names.first.map { " on \(display.cell($0, columns: hostColumns))" } ?? ""
            return "log in as \(display.name(user))\(place) with the key \(display.name(key.name))"
        case .sign(let key, .file, _): return "sign with the key \(display.name(key.name))"
        case .sign(let key, .certificate, _):
            return "sign a certificate with the key \(display.name(key.name))"
        case .sign(let key, .raw, _): return "sign unknown data with the key \(display.name(key.name))"
        case .read("rule.add", let name), .read("rule.remove", let name):
            return "change the rule \(display.name(name))"
        case .read("identity.revocation", _): return "have the notice that revokes your identity"
        case .read("secret.export", _): return "have all passwords, tokens, notes and files of the vault"
        case .read(let operation, let name): return "have \(secret(operation)) \(display.name(name))"
        case .use(let operation, let name): return "use \(secret(operation)) \(display.name(name))"
        }
    }

    /// What an operation of the vault is about, in words.
    private static func secret(_ operation: String) -> String {
        switch operation.split(separator: ".").first {
        case "ssh-key": "the private key"
        case "session", "message", "code": "the session with"
        default: "the secret"
        }
    }

    private static func facts(_ act: Act) -> [String] {
        guard case .sign(let key, let purpose, let route) = act else { return [] }
        var lines = server(purpose)
        switch route {
        case .direct: break
        case .unbound: if purpose.kind == .login { lines.append("Way: nobody said to which server") }
        case .forwarded(let hosts):
            let names = hosts.prefix(3).map { display.cell($0, columns: hostColumns) }
            let through = names.isEmpty ? "an unnamed host" : names.joined(separator: ", ")
            lines.append("Way: asked from another machine, through \(through)")
        }
        return lines + ["Key: \(display.cell(key.fingerprint, columns: 60))"]
    }

    private static func server(_ purpose: Purpose) -> [String] {
        switch purpose {
        case .file(let namespace): return ["For: signatures of kind \(display.name(namespace))"]
        case .certificate: return ["For: whoever has the certificate is let in as if you had said so"]
        case .raw: return ["For: bytes of a kind that nobody can name; they could be a login anywhere"]
        case .login(_, nil): return ["Server: unknown"]
        case .login(_, let host?):
            let names = host.names.prefix(3).map { display.cell($0, columns: hostColumns) }
            let more = host.names.count > 3 ? ", …" : ""
            let name = names.isEmpty ? "without a known name" : names.joined(separator: ", ") + more
            return [
                "Server: \(name), \(standing(host))",
                "Server key: \(display.cell(host.fingerprint, columns: 60))",
            ]
        }
    }

    private static func standing(_ host: HostFacts) -> String {
        switch host.standing {
        case .known: host.knownSince.map { "known since \(day($0))" } ?? "known"
        case .unknown: "never seen before"
        case .changed: "CHANGED: another key was known under this name"
        case .revoked: "REVOKED"
        }
    }

    private static func day(_ seconds: UInt64) -> String {
        let time = CivilTime(unixSeconds: Int64(clamping: min(seconds, 253_402_300_799)))
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(time.year)-\(padded(time.month))-\(padded(time.day))"
    }
}
