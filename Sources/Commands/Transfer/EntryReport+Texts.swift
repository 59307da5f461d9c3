package import Presentation
internal import Secrets
package import Text
internal import VaultKit

/// The texts that people read about an import: a table, a summary line, and warnings.
extension EntryReport {
    /// A table of all entries.
    ///
    /// `isBrief` leaves out entries that are simply new, for people; a trial shows all entries.
    package func table(_ display: Display, isBrief: Bool) -> Table {
        var table = Table([Column("entry"), Column("result", .left, .wrapped), Column("name", .left, .whole)])
        let isBrief = isBrief && !isTrial
        for outcome in outcomes where !isBrief || outcome.act != .added || outcome.twin != nil {
            table.add([
                Cell(peer: outcome.given, display), word(outcome.act.rawValue),
                Cell(own: outcome.name, display),
            ])
        }
        for part in (bundle?.keys ?? []) + (bundle?.hosts ?? []) where !isBrief || part.act != .added {
            table.add([
                Cell(peer: part.given, display), word(part.act.rawValue),
                Cell(own: part.name, display),
            ])
        }
        for (index, entry) in (entries + keys).enumerated() {
            // An entry that was not stored has no parts that this import left out.
            if outcomes.indices.contains(index), !outcomes[index].isStored { continue }
            for part in Self.left(of: entry) {
                table.add([
                    Cell(own: entry.name, display),
                    Cell(part.0.words, value: part.0.rawValue, tone: .soon),
                    Cell(own: part.name, display),
                ])
            }
        }
        for entry in refused {
            table.add([
                Cell(own: title(of: entry), display),
                Cell(entry.reason.words, value: entry.reason.rawValue, tone: .soon), Cell(""),
            ])
        }
        return table
    }

    /// The title of an entry, or its number.
    func title(of entry: RefusedEntry) -> String {
        entry.title.isEmpty ? "\(form.isTable ? "line" : "entry") \(entry.place)" : entry.title
    }

    /// The result for a secret, key or host; `act` is its word in JSON.
    func word(_ act: String) -> Cell {
        switch act {
        case "added": Cell(isTrial ? "would be imported" : "imported", value: act, tone: .good)
        case "renamed": Cell("under another name", value: act, tone: .soon)
        case "updated": Cell("updated", tone: .good)
        case "versioned": Cell("new version", value: act, tone: .good)
        case "restored": Cell("from the trash", value: act, tone: .good)
        case "known": Cell("known already", value: act, tone: .past)
        case "nameTaken": Cell("name taken, skipped", value: act, tone: .danger)
        case "twin": Cell("same address and user, skipped", value: act, tone: .past)
        default: Cell(act)
        }
    }

    /// One line that sums up the import.
    package var summary: String {
        var parts = ["\(stored) \(isTrial ? "would be imported" : "imported")"]
        func add(_ number: Int, _ words: String) { if number > 0 { parts.append("\(number) \(words)") } }
        add(count(.restored), "of these restored from the trash")
        add(count(.known), "known already")
        add(count(.nameTaken), "skipped: name taken")
        add(refused.count, "that cannot be imported")
        if let bundle {
            let (keys, hosts) = (bundle.keys.count(where: \.isStored), bundle.hosts.count(where: \.isStored))
            add(keys, keys == 1 ? "SSH key" : "SSH keys")
            add(hosts, hosts == 1 ? "host" : "hosts")
            add(left, "keys and hosts skipped: name taken")
            add(bundle.knownHosts, "known hosts")
        }
        return parts.joined(separator: ", ")
    }

    /// Warns of entries and parts that were not imported as a person may expect.
    package func tell(_ output: Output) {
        func warn(_ number: Int, _ code: String, _ words: String, hint: String? = nil, isNote: Bool = false) {
            guard number > 0 else { return }
            let warning = Warning(code, words, hint: hint, fields: ["count": .integer(number)])
            if isNote { output.note(warning) } else { output.warn(warning) }
        }
        let taken = count(.nameTaken) + left
        warn(
            taken,
            "importNamesTaken",
            "\(taken) have the name of an entry in the vault, but other values",
            hint: "--on-duplicate rename  imports them under another name"
        )
        let conflicts = bundle?.conflicts ?? 0
        warn(
            conflicts,
            "importHostConflicts",
            "\(conflicts) known_hosts lines have another key than the vault and were skipped",
            hint: "hsip ssh host import ~/.ssh/known_hosts  names them"
        )
        let twins = outcomes.count { $0.twin != nil && $0.isStored }
        warn(
            twins,
            "importTwins",
            "\(twins) have the address and user of an entry with another name",
            isNote: true
        )
        let parts = zip(entries + keys, outcomes.map(\.isStored) + keys.map { _ in true }).filter(\.1)
            .flatMap { Self.left(of: $0.0) }
        let behind = parts.count { [.attachments, .passkey].contains($0.0) }
        warn(
            behind,
            "importPartsLeft",
            behind == 1
                ? "1 attachment or passkey was not imported"
                : "\(behind) attachments or passkeys were not imported",
            hint: "hsip secret set NAME --type file --from-file FILE  keeps a file"
        )
        let kept = parts.count - behind
        warn(kept, "importKeptAsText", "\(Plural.of(kept, "value")) not understood and kept as text")
    }
}

extension OmittedPart {
    /// The result for a part of an entry.
    fileprivate var words: String {
        switch self {
        case .attachments: "attachment not imported"
        case .history: "earlier values not imported"
        case .passkey: "passkey not imported"
        case .columns: "more values than columns, kept as text"
        case .reference: "{REF:…} without a target, kept as text"
        case .oneTimeKey: "code in an unknown form, kept as text"
        case .sshKey: "SSH key not read, kept as text"
        }
    }
}

extension RefusedEntry.Reason {
    /// Why an entry was not imported.
    var words: String {
        switch self {
        case .empty: "has no value"
        case .onlyFiles: "is a file, which the export does not contain"
        case .inTrash: "was in the trash there"
        case .archived: "was archived there"
        case .unknownKind: "is of a kind that hsip does not know"
        case .encrypted: "its values are encrypted"
        case .tooLarge: "is too large"
        case .notText: "its name is not UTF-8"
        case .notOpened: "could not be opened"
        case .ownRecord: "belongs to a vault"
        }
    }
}
