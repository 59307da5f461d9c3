internal import Glibc
internal import HSIP
internal import Presentation
internal import SSHFormats
internal import Text
package import VaultKit
internal import VaultLifecycle
package import VaultPolicy

/// Whether each rule of the policy fits something: one with a slip in it refuses nothing.
package enum RuleChecks {
    /// Nothing where there are no rules; rules that have ended are passed over.
    package static func findings(
        _ vault: any VaultService,
        now: Int64
    ) async -> [Finding] {
        let rules: [Rule]
        do {
            rules = try await vault(Operations.rules)
        } catch {
            return [.problem(.rules, Failure(error))]
        }
        let living = rules.filter { $0.expires.map { Int64(clamping: $0) > now } ?? true }
        var found: [Finding] = []
        for rule in living {
            let complaints = await RuleFit(rule: rule, vault: vault).complaints { "“\($0)”" }
            guard !complaints.isEmpty else { continue }
            found.append(
                Finding(
                    check: .rules,
                    state: .warning,
                    message:
                        "the rule \(rule.name) can have no effect: \(complaints.joined(separator: ", "))",
                    reason: "the agent decides without this rule",
                    hint: "hsip agent rule rm \(rule.name)"
                )
            )
        }
        guard found.isEmpty, !living.isEmpty else { return found }
        return [.fine(.rules, "every rule of the agent can have an effect")]
    }
}

/// What a rule names, compared with what there is: a slip of the pen makes a rule that never fits, and no one would
/// notice before it is needed.
package struct RuleFit {
    let rule: Rule
    let vault: any VaultService

    package init(rule: Rule, vault: any VaultService) { (self.rule, self.vault) = (rule, vault) }

    /// A sentence for each condition that fits nothing now; such a rule is kept, as its key may come later.
    ///
    /// `shown` writes a name as the sentence wants it.
    package func complaints(_ shown: (String) -> String) async -> [String] {
        var found: [String] = []
        if let subject = rule.subject, await !isKnown(subject: subject) {
            found.append("the vault has nothing named \(shown(subject))")
        }
        for host in [rule.host, rule.via].compactMap(\.self) where await !isKnown(host: host) {
            found.append("the vault has no key of the host \(shown(host))")
        }
        if let program = rule.program, program.hasPrefix("/"), unsafe access(program, F_OK) != 0 {
            found.append("there is no program \(shown(program))")
        }
        if let inside = rule.inside, inside.hasPrefix("/"), let text = Self.complaint(inside: inside, shown) {
            found.append(text)
        }
        if rule.kind == .read || rule.kind == .decide, rule.subject?.lowercased().hasPrefix("sha256:") == true
        {
            found.append("a rule for reading or changing a key needs its name, not its fingerprint")
        }
        if let kind = rule.kind {
            if rule.host != nil, kind != .login { found.append("only a login has a host") }
            if rule.namespace != nil, kind != .file { found.append("only a signed file has a namespace") }
        }
        return found
    }

    /// Why nothing ever runs inside a path; nil where something may: the kernel names the file itself that a process runs,
    /// never a link to it, and of a script its interpreter.
    private static func complaint(inside path: String, _ shown: (String) -> String) -> String? {
        guard let file = Path.resolved(path) else { return "there is no program \(shown(path))" }
        guard file == path else {
            return "\(shown(path)) is a link to \(shown(file)), which is the program that runs"
        }
        return isScript(path)
            ? "\(shown(path)) is a script, and the program that runs is its interpreter" : nil
    }

    /// Whether a file begins as scripts do; false for one that cannot be read.
    private static func isScript(_ path: String) -> Bool {
        Path.beginning(of: path)?.hasPrefix("#!") ?? false
    }

    /// Whether there is something of that name, or may be.
    ///
    /// A key of another agent is known by its fingerprint alone, and not here. What lies in the trash may come back, and
    /// the rule is for it then.
    private func isKnown(subject: String) async -> Bool {
        if Fingerprint(subject) != nil { return true }
        // Of items a rule names the id; one in the trash is reported, too.
        if let items = try? await vault.itemViews([subject]), !items.isEmpty { return true }
        if await isKnown(subject: subject, inTrash: false) { return true }
        return await isKnown(subject: subject, inTrash: true)
    }

    private func isKnown(subject: String, inTrash: Bool) async -> Bool {
        func fits(_ name: String) -> Bool { Rule.subject(subject, fits: name) }
        if let keys = try? await vault(Operations.sshKeys, Listing(inTrash: inTrash)),
            keys.contains(where: { fits($0.name) })
        {
            return true
        }
        var query = CredentialQuery()
        query.inTrash = inTrash
        if !inTrash, !Rule.isFolder(subject), (try? await vault(Operations.credential, subject, .kept)) != nil
        {
            return true
        }
        if inTrash || Rule.isFolder(subject), let secrets = try? await vault.credentials(query),
            secrets.contains(where: { fits($0.name) })
        {
            return true
        }
        return (try? await vault(Operations.contacts, Listing(inTrash: inTrash)))?.contains {
            fits($0.contact.alias)
        } ?? true
    }

    /// Whether a login to the host could be told from others by its key.
    private func isKnown(host: String) async -> Bool {
        guard let lines = try? await vault(Operations.hostKeys, nil) else { return true }
        if Fingerprint(host) != nil { return lines.contains { "\($0.host.key.fingerprint)" == host } }
        if let profile = try? await vault(Operations.sshHosts, .kept).first(where: { $0.name == host })?
            .profile.lookupName,
            await isKnown(profile)
        {
            return true
        }
        guard let name = try? HostName(lookup: host) else { return false }
        if await isKnown(name) { return true }
        return lines.contains { line in
            line.isCurrent && line.host.marker != .revoked
                && line.host.names.names.contains {
                    rule.means(String(decoding: $0, as: UTF8.self), by: host)
                }
        }
    }

    private func isKnown(_ name: HostName) async -> Bool {
        guard let lines = try? await vault(Operations.hostKeys, name) else { return true }
        return lines.contains { $0.isCurrent && $0.host.marker != .revoked }
    }
}
