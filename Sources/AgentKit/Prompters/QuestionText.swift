internal import SafeText
package import VaultPolicy

/// The words of the questions: who asks, for what, with which key and where to.
///
/// Names of programs, keys, users and hosts come from outside: each is cleaned and cut here, and what follows it
/// cannot be imitated by it, as every fact has a line of its own that begins with a word of ours.
package enum QuestionText {
    static let display = Display(isUTF8: true)
    /// Programs of a chain that are shown; the nearest are those that matter.
    private static let mostPrograms = 5
    private static let programColumns = 24
    static let hostColumns = 60
    /// Bytes of names in one question: less than a line of a pinentry, which is all that it shows of one.
    private static let mostNames = 480

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

    /// The questions whether several secrets may be read at once: one, unless there are more names than one can show.
    ///
    /// Every name is shown: nobody says yes to what cannot be seen.
    package static func confirm(
        _ acts: [Act],
        by requester: Requester,
        remember: Int? = nil
    ) -> [ConfirmQuestion] {
        guard acts.count > 1 else { return acts.map { confirm($0, by: requester, remember: remember) } }
        if case .read(let operation, "")? = acts.first, tellsOfAll(operation) {
            return parts(Array(acts.dropFirst())).map { part in
                let names = part.acts.map { subject($0) }.joined(separator: ", ")
                return ConfirmQuestion(
                    title: "Allow \(name(of: requester)) to \(verb(acts[0]))?",
                    lines: [program(requester), "Also of those with a rule of their own: \(names)"],
                    remember: remember
                )
            }
        }
        let parts = parts(acts)
        if case .read(let operation, _)? = acts.first, !letsOut(operation) {
            return parts.map { part in
                let others = part.acts.dropFirst().map { subject($0) }.joined(separator: ", ")
                return ConfirmQuestion(
                    title: "Allow \(name(of: requester)) to \(verb(part.acts[0]))?",
                    lines: [program(requester)] + (others.isEmpty ? [] : ["The same for: \(others)"]),
                    remember: remember
                )
            }
        }
        return parts.map { part in
            let count = parts.count == 1 ? "\(acts.count)" : "\(part.acts.count) of \(acts.count)"
            let what = if case .read? = part.acts.first { "have" } else { "use" }
            let names = part.acts.map { subject($0) }.joined(separator: ", ")
            let place = parts.count == 1 ? "" : " \(part.first) to \(part.first + part.acts.count - 1)"
            return ConfirmQuestion(
                title: "Allow \(name(of: requester)) to \(what) \(count) secrets?",
                lines: [program(requester), "Secrets\(place): \(names)"],
                remember: remember
            )
        }
    }

    /// Acts in their order, as many together as can be shown; `first` counts from 1.
    private static func parts(_ acts: [Act]) -> [(first: Int, acts: [Act])] {
        var parts: [(first: Int, acts: [Act])] = []
        var size = 0
        for (place, act) in acts.enumerated() {
            let bytes = subject(act).utf8.count + 2
            if parts.isEmpty || size + bytes > mostNames {
                parts.append((place + 1, []))
                size = 0
            }
            parts[parts.count - 1].acts.append(act)
            size += bytes
        }
        return parts
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

    private static func facts(_ act: Act) -> [String] {
        guard case .sign(let key, let purpose, let route) = act else { return [] }
        var lines = server(purpose)
        switch route {
        case .direct: break
        case .unbound: if purpose.kind == .login { lines.append("Way: the server was not named") }
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
        case .certificate: return ["For: the holder of the certificate is let in as if you had allowed it"]
        case .raw: return ["For: data of an unknown kind; it could be a login to any server"]
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
