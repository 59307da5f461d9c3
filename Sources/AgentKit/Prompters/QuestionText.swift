internal import Text
package import VaultPolicy

/// The words of the prompts: who asks, for what, with which key, and for which destination.
///
/// Names of programs, keys, users and hosts are foreign text: each is cleaned and truncated here. It cannot imitate
/// the text after it, since every fact has a line of its own that begins with our own word.
package enum QuestionText {
    static let display = Display(isUTF8: true)
    /// The largest number of programs of a chain in a prompt; the nearest ones matter.
    private static let maximumPrograms = 5
    private static let programColumns = 24
    private static let scriptColumns = 80
    static let hostColumns = 60

    /// Returns the prompt for an act.
    ///
    /// An approval may hold for `remember` seconds; if that is nil, it holds once.
    ///
    /// - Parameters:
    /// - act: the act.
    /// - requester: the program that asks.
    /// - remember: the seconds.
    /// - hint: a last line; nil for none.
    /// - Returns: the prompt.
    package static func confirm(
        _ act: Act,
        by requester: Requester,
        remember: Int? = nil,
        hint: String? = nil
    ) -> ConfirmQuestion {
        ConfirmQuestion(
            title: "Let \(name(of: requester)) \(verb(act))?",
            lines: who(requester) + facts(act) + (hint.map { [$0] } ?? []),
            longer: remember.map { .seconds($0) }
        )
    }

    /// Returns the prompt for adding a key from another machine until the vault locks.
    ///
    /// - Parameters:
    /// - change: the new key.
    /// - hosts: the machines that the request came through.
    /// - requester: the program here that forwards it.
    /// - Returns: the prompt; an approval holds once.
    package static func adding(
        _ change: RingChange,
        through hosts: [String],
        by requester: Requester
    ) -> ConfirmQuestion {
        guard case .add(let comment, let fingerprint) = change else {
            return ConfirmQuestion(title: "Let \(name(of: requester)) change the keys of this agent?")
        }
        return ConfirmQuestion(
            title: "Let another machine add the key \(display.name(comment)) to this agent?",
            lines: who(requester) + [
                way(through: hosts), "Key: \(display.cell(fingerprint, columns: 60))",
                "Every login from here offers this key first, until the vault locks.",
            ]
        )
    }

    /// Returns the lines of a passphrase prompt that tell who waits for it.
    package static func waiting(for peer: Peer) -> [String] {
        let program = peer.programNow.path.map { Program.other(path: $0) } ?? .unknown
        var requester = Requester(uid: peer.uid, pid: peer.pid, program: program, chain: peer.chain)
        if program != .unknown { requester.script = peer.script }
        return waiting(for: requester)
    }

    static func waiting(for requester: Requester) -> [String] {
        ["\(name(of: requester)) wants to use the vault. Enter its passphrase."] + who(requester)
    }

    /// Returns the lines of a security key's prompt about the act, and the name of the key.
    static func touch(
        _ act: Act,
        _ key: KeyFacts,
        by requester: Requester
    ) -> (lines: [String], key: String) {
        let first = "\(name(of: requester)) wants to \(verb(act))."
        return ([first] + who(requester) + facts(act), display.name(key.name))
    }

    static func name(of requester: Requester) -> String {
        // Shows the name of the program file, not a name that the process gave itself.
        guard let path = requester.program.path, let file = path.split(separator: "/").last else {
            return "an unknown program"
        }
        return display.name(String(file), columns: programColumns)
    }

    /// Returns the lines about the requesting program and its claimed script.
    static func who(_ requester: Requester) -> [String] {
        [program(requester)] + (requester.script.map { [script($0)] } ?? [])
    }

    /// Returns the claim of an interpreter, in words that say whose claim it is.
    private static func script(_ claim: ScriptClaim) -> String {
        func quoted(_ text: String) -> String {
            // It is cut before it is cleaned, so that no mark of the cleaning is cut.
            display.name(MiddleCut.cut(text, to: scriptColumns, ellipsis: "…"), columns: scriptColumns)
        }
        let starter =
            claim.starter.map { "\(display.name($0, columns: programColumns)) started it, and " } ?? ""
        switch claim.kind {
        case .file: return "Script: \(starter)says it runs \(quoted(claim.text))"
        case .module: return "Script: \(starter)says it runs the module \(quoted(claim.text))"
        case .commands: return "Script: \(starter)says it runs commands, and no file"
        }
    }

    private static func program(_ requester: Requester) -> String {
        let names = requester.chain.prefix(maximumPrograms).map { display.cell($0, columns: programColumns) }
        let rest = requester.chain.count > maximumPrograms ? " ← …" : ""
        let path = requester.program.path.map {
            MiddleCut.cut(display.cell($0, columns: 400), to: 60, ellipsis: "…")
        }
        let chain = names.isEmpty ? path ?? "unknown" : names.joined(separator: " ← ") + rest
        let file = path.map { names.isEmpty ? "" : " (\($0))" } ?? (names.isEmpty ? "" : " (unknown program)")
        let process = requester.pid > 0 ? ", process \(requester.pid)" : ""
        return "Program: \(chain)\(file)\(process)"
    }

    /// Returns the act, after “Allow … to”.
    private static func verb(_ act: Act) -> String {
        switch act {
        case .sign(let key, .login(let user, let host), _):
            let place = host?.names.first.map { " on \(display.cell($0, columns: hostColumns))" } ?? ""
            return "log in as \(display.name(user))\(place) with the key \(display.name(key.name))"
        case .sign(let key, .file, _): return "sign with the key \(display.name(key.name))"
        case .sign(let key, .certificate, _):
            return "sign a certificate with the key \(display.name(key.name))"
        case .sign(let key, .raw, _): return "sign unknown data with the key \(display.name(key.name))"
        case .read(_, let name): return "read \(display.name(name))"
        case .use(_, let name): return "use \(display.name(name))"
        case .decide(_, let name): return "decide about \(display.name(name))"
        case .item, .itemChange, .applicationKey, .collection: return itemVerb(act)
        }
    }

    private static func facts(_ act: Act) -> [String] {
        guard case .sign(let key, let purpose, let route) = act else { return [] }
        var lines = server(purpose)
        switch route {
        case .direct: break
        case .unbound: if purpose.kind == .login { lines.append("Way: the program did not name the server") }
        case .forwarded, .relayed: lines.append(way(through: route.way ?? []))
        }
        return lines + ["Key: \(display.cell(key.fingerprint, columns: 60))"]
    }

    private static func way(through hosts: [String]) -> String {
        let names = hosts.prefix(3).map { display.cell($0, columns: hostColumns) }
        return
            "Way: asked from another machine, through \(names.isEmpty ? "an unnamed host" : names.joined(separator: ", "))"
    }

    private static func server(_ purpose: Purpose) -> [String] {
        switch purpose {
        case .file(let namespace): return ["For: signatures of kind \(display.name(namespace))"]
        case .certificate: return ["For: the holder of the certificate can log in as if you had allowed it"]
        case .raw: return ["For: data of an unknown kind; it could be a login to any server"]
        case .login(_, nil): return ["Server: unknown"]
        case .login(_, let host?):
            let names = host.names.prefix(3).map { display.cell($0, columns: hostColumns) }
            let more = host.names.count > 3 ? ", …" : ""
            let name = names.isEmpty ? "without a known name" : names.joined(separator: ", ") + more
            return [
                "Server: \(name), \(status(host))",
                "Server key: \(display.cell(host.fingerprint, columns: 60))",
            ]
        }
    }

    private static func status(_ host: HostFacts) -> String {
        switch host.status {
        case .known: host.knownSince.map { "known since \(day($0))" } ?? "known"
        case .unknown where host.knownSince != nil || !host.names.isEmpty:
            "its key is known, and may belong to a host that a rule names"
        case .unknown: "never seen before"
        case .changed: "CHANGED: another key was known under this name"
        case .revoked: "REVOKED"
        }
    }

    static func day(_ seconds: UInt64) -> String {
        let time = CivilTime(unixSeconds: Int64(clamping: min(seconds, 253_402_300_799)))
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(time.year)-\(padded(time.month))-\(padded(time.day))"
    }
}
