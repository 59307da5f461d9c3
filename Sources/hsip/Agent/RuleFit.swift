internal import Console
internal import Glibc
internal import HSIP
internal import SSHFormats
internal import SafeText
internal import VaultKit
internal import VaultPolicy

/// What a rule names, compared with what there is: a slip of the pen makes a rule that never fits, and nobody would
/// notice before it is needed.
struct RuleFit {
    let rule: Rule
    let vault: any VaultService

    /// A sentence for each condition that fits nothing now; such a rule is kept, as its key may come later.
    func complaints(_ context: Context) async -> [String] {
        var found: [String] = []
        let display = context.output.display
        if let subject = rule.subject, await !isKnown(subject: subject) {
            found.append("nothing in the vault is called \(display.name(subject))")
        }
        if let host = rule.host, await !isKnown(host: host) {
            found.append("no key is known for the host \(display.name(host))")
        }
        if let program = rule.program, unsafe access(program, F_OK) != 0 {
            found.append("there is no program \(display.name(program))")
        }
        if rule.kind == .read || rule.kind == .decide, rule.subject?.lowercased().hasPrefix("sha256:") == true
        {
            found.append("what reads or changes a key knows it by its name, not by its fingerprint")
        }
        if let kind = rule.kind {
            if rule.host != nil, kind != .login { found.append("only a login has a host") }
            if rule.namespace != nil, kind != .file { found.append("only a signed file has a namespace") }
        }
        return found
    }

    /// A key that is lent is known by its fingerprint alone, and not here.
    private func isKnown(subject: String) async -> Bool {
        if Fingerprint(subject) != nil { return true }
        func fits(_ name: String) -> Bool { Rule.subject(subject, fits: name) }
        if let keys = try? await vault.sshKeys(), keys.contains(where: { fits($0.name) }) { return true }
        if Rule.isFolder(subject) {
            if let secrets = try? await vault.credentials(), secrets.contains(where: { fits($0.name) }) {
                return true
            }
        } else if (try? await vault.credential(subject)) != nil {
            return true
        }
        return (try? await vault.contacts())?.contains { fits($0.contact.alias) } ?? true
    }

    /// Whether a login to the host could be told from others by its key.
    private func isKnown(host: String) async -> Bool {
        guard let lines = try? await vault.hostKeys() else { return true }
        if Fingerprint(host) != nil { return lines.contains { "\($0.host.key.fingerprint)" == host } }
        if let profile = try? await vault.sshHosts().first(where: { $0.name == host })?.profile.lookupName,
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
        guard let lines = try? await vault.hostKeys(for: name) else { return true }
        return lines.contains { $0.isCurrent && $0.host.marker != .revoked }
    }
}
