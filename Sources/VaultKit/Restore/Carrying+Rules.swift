internal import RecordStore
internal import SSHFormats
internal import Secrets
internal import VaultPolicy

/// Carries rules into the copy, where renamed records have their old names again.
extension Carrying {
    /// Carries rules that refuse or ask; a rule that allows is restored only if the newer vault still has it.
    ///
    /// Rules name records, and the restore brings old names back. So if a refusing or asking rule of the copy differs
    /// from the newer rule of its name, both stay. A carried rule also covers the names that its records have in the
    /// copy.
    static func rules(_ newer: any RecordReader, _ copy: any RecordReader) throws -> [Change] {
        let kind = try RecordKind(RuleTransaction.kind)
        var changes: [Change] = []
        let (since, before) = (try newer.list(kind), try copy.list(kind))
        var names = Set((since + before).map(\.id.name))
        for info in since where info.attributes["effect"] != RuleTransaction.allowing {
            guard let record = try newer.find(info.id) else { continue }
            if let old = before.first(where: { $0.id == info.id }), old.attributes != info.attributes,
                old.attributes["effect"] != RuleTransaction.allowing, let record = try copy.find(old.id)
            {
                let name = RuleTransaction.freeName(like: old.id.name) { names.contains($0) }
                names.insert(name)
                let id = try RecordID(RuleTransaction.kind, name)
                changes.append(
                    .put(
                        RecordDraft(id: id, attributes: old.attributes, body: record.body),
                        expecting: 0
                    )
                )
            }
            let draft = RecordDraft(
                id: info.id,
                label: info.label,
                attributes: info.attributes,
                expires: info.expires,
                body: record.body,
                uid: info.uid,
                created: info.created
            )
            changes.append(.put(draft, expecting: try revision(of: info.id, copy)))
            guard let rule = Rule(named: info.id.name, info.attributes) else { continue }
            for other in try namings(of: rule, newer, copy) {
                let isThere = before.contains { old in
                    Rule(named: info.id.name, old.attributes) == other
                }
                guard !isThere else { continue }
                let name = RuleTransaction.freeName(like: info.id.name) { names.contains($0) }
                names.insert(name)
                let draft = RecordDraft(
                    id: try RecordID(RuleTransaction.kind, name),
                    attributes: try other.attributes(),
                    body: record.body
                )
                changes.append(.put(draft, expecting: 0))
            }
        }
        for info in before where info.attributes["effect"] == RuleTransaction.allowing {
            let same = since.first { $0.id == info.id }
            guard same?.attributes != info.attributes, !changes.contains(where: { $0.id == info.id })
            else { continue }
            changes.append(.delete(info.id, expecting: nil))
        }
        return changes
    }

    /// Copies of a rule for the names that its records have in the copy; none if the names are equal.
    private static func namings(
        of rule: Rule,
        _ newer: any RecordReader,
        _ copy: any RecordReader
    ) throws -> [Rule] {
        var subjects = [rule.subject]
        if let subject = rule.subject {
            subjects += try old(subject, kinds: [KeyRecord.recordKind, Credential.recordKind], newer, copy)
            subjects += try oldAliases(subject, newer, copy)
        }
        var hosts = [rule.host]
        if let host = rule.host {
            hosts += try old(host.lowercased(), kinds: [HostRecord.recordKind], newer, copy)
        }
        var rules: [Rule] = []
        for subject in subjects {
            for host in hosts {
                var other = rule
                (other.subject, other.host) = (subject, host)
                if other != rule, !rules.contains(other) { rules.append(other) }
            }
        }
        return rules
    }

    /// The names in the copy of the records that have a name in the newer vault.
    private static func old(
        _ name: String,
        kinds: [String],
        _ newer: any RecordReader,
        _ copy: any RecordReader
    ) throws -> [String] {
        var names: [String] = []
        for kind in kinds {
            // A name that is invalid for a kind has no record of that kind.
            guard let id = try? RecordID(kind, name), let info = try newer.info(id) else { continue }
            let alike = kind == KeyRecord.recordKind ? KeyRecord.identity : nil
            let twin = twin(of: info, in: try copy.list(try RecordKind(kind)), alike: alike)
            if let twin, twin.id.name != name { names.append(twin.id.name) }
        }
        return names
    }

    /// The old aliases of a contact; a contact record has its alias as an attribute.
    private static func oldAliases(
        _ alias: String,
        _ newer: any RecordReader,
        _ copy: any RecordReader
    ) throws -> [String] {
        let kind = try RecordKind(HSIPRecords.contact)
        let others = try copy.list(kind)
        return try newer.list(kind, where: try Attributes(["alias": alias])).compactMap { info in
            let same = others.first { $0.id == info.id } ?? twin(of: info, in: others)
            return same?.attributes["alias"].flatMap { $0 == alias ? nil : $0 }
        }
    }
}
