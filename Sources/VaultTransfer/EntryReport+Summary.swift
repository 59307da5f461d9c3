package import Console
internal import Credentials
internal import ImportFormats
internal import SafeText
internal import VaultKit

extension EntryReport {
    /// One line that sums it up.
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

    /// Says what a person should know besides.
    package func tell(_ output: Output) {
        let taken = count(.nameTaken) + left
        if taken > 0 {
            output.warn(
                Warning(
                    "importNamesTaken",
                    "\(taken) have the name of an entry in the vault, but other values",
                    hint: "--on-duplicate rename  imports them under another name",
                    fields: [JSONMember("count", .integer(Int64(taken)))]
                )
            )
        }
        if let conflicts = bundle?.conflicts, conflicts > 0 {
            output.warn(
                Warning(
                    "importHostConflicts",
                    "\(conflicts) known_hosts lines have another key than the vault and were skipped",
                    hint: "hsip ssh host import ~/.ssh/known_hosts  names them",
                    fields: [JSONMember("count", .integer(Int64(conflicts)))]
                )
            )
        }
        let twins = outcomes.count { $0.twin != nil && $0.isStored }
        if twins > 0 {
            output.note(
                Warning(
                    "importTwins",
                    "\(twins) have the address and user of an entry with another name",
                    fields: [JSONMember("count", .integer(Int64(twins)))]
                )
            )
        }
        let parts = zip(entries + keys, outcomes.map(\.isStored) + keys.map { _ in true }).filter(\.1)
            .flatMap { Self.left(of: $0.0) }
        let behind = parts.count { [.attachments, .passkey].contains($0.0) }
        if behind > 0 {
            output.warn(
                Warning(
                    "importPartsLeft",
                    behind == 1
                        ? "1 attachment or passkey was not imported"
                        : "\(behind) attachments or passkeys were not imported",
                    hint: "hsip secret set NAME --type file --from-file FILE  keeps a file",
                    fields: [JSONMember("count", .integer(Int64(behind)))]
                )
            )
        }
        let kept = parts.count - behind
        if kept > 0 {
            output.warn(
                Warning(
                    "importKeptAsText",
                    "\(Plural.of(kept, "value")) not understood and kept as text",
                    fields: [JSONMember("count", .integer(Int64(kept)))]
                )
            )
        }
    }
}
