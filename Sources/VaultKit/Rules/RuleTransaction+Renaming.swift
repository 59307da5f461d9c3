internal import RecordStore
internal import SSHFormats
internal import Secrets
internal import VaultCrypto
internal import VaultPolicy

/// A record that has another name by an act: rules go by names, so those that name it follow it.
struct Renaming {
    /// The kind of the record.
    let kind: String
    let old: String
    let new: String
    /// Another record of the kind has the old name by the same act.
    let isOldTaken: Bool
}

extension RuleTransaction {
    /// Lets the rules that name a record name it by its new name.
    ///
    /// Where something else has the old name, a rule that asks or refuses covers both from now on, as a rule of its own
    /// for the new name. One that allows follows only where nothing else has either name: it reaches what it was made
    /// for, and no more. Rules about a folder stay as they are.
    mutating func follow(_ renamings: [Renaming]) throws(VaultError) {
        for rule in readable {
            for renaming in renamings {
                let fields =
                    renaming.kind == HostRecord.recordKind ? [\Rule.host, \Rule.via] : [\Rule.subject]
                guard let field = fields.first(where: { Self.name(in: rule, $0) == renaming.old }) else {
                    continue
                }
                let isShared =
                    if renaming.isOldTaken { true } else {
                        try isNamed(renaming.old, besides: renaming.kind)
                    }
                if rule.effect == .allow {
                    guard !isShared, !(try isNamed(renaming.new, besides: renaming.kind)) else { continue }
                }
                try put(renaming.new, as: field, in: rule, keepsOld: isShared)
            }
        }
    }

    /// The name in a rule, as records are named: profiles of hosts in lower case.
    private static func name(in rule: Rule, _ field: WritableKeyPath<Rule, String?>) -> String? {
        field != \Rule.subject ? rule[keyPath: field]?.lowercased() : rule[keyPath: field]
    }

    /// Whether something of another kind has a name: for a profile a host that the vault knows or reaches by it, for all
    /// others a key, a secret or a contact.
    private func isNamed(_ name: String, besides kind: String) throws(VaultError) -> Bool {
        if kind == HostRecord.recordKind { return isHost(name) }
        do {
            for other in [KeyRecord.recordKind, Credential.recordKind] where other != kind {
                // No record has a name that none can have.
                guard let id = try? RecordID(other, name) else { continue }
                if try reader.info(id) != nil { return true }
            }
            guard kind != HSIPRecords.contact else { return false }
            let kind = try RecordKind(HSIPRecords.contact)
            return !(try reader.list(kind, where: try Attributes(["alias": name])).isEmpty)
        } catch {
            throw VaultError(error)
        }
    }

    /// Whether a rule that has this name may be about a host that is called so, under any port.
    ///
    /// Where that cannot be told, it may.
    private func isHost(_ name: String) -> Bool {
        guard let host = try? HostName(host: name) else { return false }
        guard let hosts = try? reader.hostProfiles(), !hosts.isShort,
            let book = try? HostKeyTransaction(reader, now: 0, entropy: .system).book
        else { return true }
        return hosts.all.contains { $0.profile.lookupName.name == host.name }
            || book.entries.contains { entry in
                // What is no line of a host says nothing of one.
                guard let names = entry.host?.names else { return false }
                return names.matches(host) || names.mayMatch(host)
            }
    }
}
