internal import RecordStore
internal import SSHFormats
internal import Secrets
internal import VaultCrypto
internal import VaultPolicy

/// A new name for a record; rules that name the record must be updated.
struct Renaming {
    /// The kind of the record.
    let kind: String
    let old: String
    let new: String
    /// Whether another record of the kind gets the old name in the same commit.
    let isOldTaken: Bool
}

extension RuleTransaction {
    /// Renames a record in the rules that name it.
    ///
    /// If something else has the old name, a rule that asks or refuses must cover both names: a second rule is added for
    /// the new name. A rule that allows is updated only if nothing else has either name, so it never allows more than
    /// before. Rules about a folder stay unchanged.
    mutating func follow(_ renamings: [Renaming]) throws {
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

    /// The name in a rule as records spell it: host profiles in lower case.
    private static func name(in rule: Rule, _ field: WritableKeyPath<Rule, String?>) -> String? {
        field != \Rule.subject ? rule[keyPath: field]?.lowercased() : rule[keyPath: field]
    }

    /// Whether something of another kind has a name.
    ///
    /// For a profile, that is a known or reachable host; otherwise a key, a secret or a contact.
    private func isNamed(_ name: String, besides kind: String) throws -> Bool {
        if kind == HostRecord.recordKind { return isHost(name) }
        for other in [KeyRecord.recordKind, Credential.recordKind] where other != kind {
            // A name that is invalid for records is not in use.
            guard let id = try? RecordID(other, name) else { continue }
            if try reader.info(id) != nil { return true }
        }
        guard kind != HSIPRecords.contact else { return false }
        let kind = try RecordKind(HSIPRecords.contact)
        return !(try reader.list(kind, where: try Attributes(["alias": name])).isEmpty)
    }

    /// Whether a rule with this name may be about a host of that name, under any port.
    ///
    /// True if the hosts cannot be read.
    private func isHost(_ name: String) -> Bool {
        guard let host = try? HostName(host: name) else { return false }
        guard let hosts = try? reader.hostProfiles(), !hosts.isShort,
            let book = try? HostKeyTransaction(reader, now: 0, entropy: .system).book
        else { return true }
        return hosts.all.contains { $0.profile.lookupName.name == host.name }
            || book.entries.contains { entry in
                // An unreadable line names no host.
                guard let names = entry.host?.names else { return false }
                return names.matches(host) || names.mayMatch(host)
            }
    }
}
