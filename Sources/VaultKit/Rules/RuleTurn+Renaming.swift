internal import RecordStore
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

extension RuleTurn {
    /// Lets the rules that name a record name it by its new name.
    ///
    /// Where something else has the old name, a rule that asks or refuses covers both from now on, as a rule of its own
    /// for the new name. One that allows follows only where nothing else has either name: it reaches what it was made
    /// for, and no more. Rules about a folder stay as they are.
    mutating func follow(_ renamings: [Renaming]) throws(VaultError) {
        for rule in readable {
            for renaming in renamings where rule.subject == renaming.old {
                let isShared =
                    if renaming.isOldTaken { true } else {
                        try isNamed(renaming.old, besides: renaming.kind)
                    }
                if rule.effect == .allow {
                    guard !isShared, !(try isNamed(renaming.new, besides: renaming.kind)) else { continue }
                }
                try name(renaming.new, in: rule, keepsOld: isShared)
            }
        }
    }

    /// Whether a key, a secret or a contact has a name; those of one kind are not asked about.
    private func isNamed(_ name: String, besides kind: String) throws(VaultError) -> Bool {
        do {
            for other in [SSHRecords.key, CredentialRecords.kind] where other != kind {
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
}
