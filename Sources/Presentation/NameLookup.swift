internal import HSIP
internal import RecordStore
package import SSHFormats
package import VaultKit

/// Finds the record that a word names among records of one kind: contacts, SSH keys, hosts or secrets.
///
/// An exact name has priority, then another notation (a fingerprint, an identifier), then, if the caller allows it,
/// the beginning of exactly one name. The command line and the C library share this lookup.
package struct NameLookup<Summary: Sendable>: Sendable {
    /// The result of a lookup.
    package enum Answer: Sendable {
        /// The record with exactly this name.
        case named(Summary)
        /// The only record whose name starts with the word.
        case begun(Summary)
        /// Several records have this name.
        case ambiguous([Summary])
        /// A removed record has this name.
        case inTrash
        /// No record was found; with the most similar names, sorted.
        case unknown(near: [String])
    }

    private let list: @Sendable (_ inTrash: Bool) async throws -> [Summary]
    private let name: @Sendable (Summary) -> String
    private let normalized: @Sendable (String) -> String
    private let isAlso: @Sendable (Summary, String) -> Bool

    /// - Parameters:
    /// - name: Returns the name of a record.
    /// - normalized: Converts a word to the notation of such names.
    /// - isAlso: Whether a word names a record in a notation other than its name.
    /// - list: Returns all records, or all removed records.
    package init(
        name: @escaping @Sendable (Summary) -> String,
        normalized: @escaping @Sendable (String) -> String = { $0 },
        isAlso: @escaping @Sendable (Summary, String) -> Bool = { _, _ in false },
        list: @escaping @Sendable (_ inTrash: Bool) async throws -> [Summary]
    ) {
        (self.name, self.normalized, self.isAlso, self.list) = (name, normalized, isAlso, list)
    }

    /// Looks up a word among the records, or among the removed records.
    ///
    /// With `byBeginning`, the beginning of a single name suffices; an empty word is the beginning of none. It throws
    /// the errors of listing the records.
    package func find(
        _ word: String,
        inTrash: Bool = false,
        byBeginning: Bool = false
    ) async throws -> Answer {
        let records = try await list(inTrash)
        let wanted = normalized(word)
        let named = records.filter { name($0) == wanted }
        if named.count > 1 { return .ambiguous(named) }
        if let record = named.first ?? records.first(where: { isAlso($0, word) }) { return .named(record) }
        if byBeginning, !wanted.isEmpty {
            let begun = records.filter { name($0).hasPrefix(wanted) }
            if begun.count == 1 { return .begun(begun[0]) }
        }
        if !inTrash, try await list(true).contains(where: { name($0) == wanted }) { return .inTrash }
        return .unknown(near: near(word, records))
    }

    /// Returns the names that the word may be a misspelling of.
    private func near(_ word: String, _ records: [Summary]) -> [String] {
        guard !word.isEmpty else { return [] }
        return records.map(name).filter { NameDistance.between(word, $0) <= 2 || $0.hasPrefix(word) }.sorted()
    }
}

extension NameLookup {
    /// Contacts by their alias.
    package static func contacts(_ vault: any VaultService) -> Self where Summary == ContactSummary {
        Self(name: \.alias) { try await vault(Operations.contacts, Listing(inTrash: $0)) }
    }

    /// SSH keys by their name or fingerprint.
    package static func keys(_ vault: any VaultService) -> Self where Summary == KeySummary {
        Self(name: \.name, normalized: NameRules.normalized, isAlso: { $0.fingerprint == $1 }) {
            try await vault(Operations.sshKeys, Listing(inTrash: $0))
        }
    }

    /// Hosts by the name of their profile or its identifier.
    package static func hosts(_ vault: any VaultService) -> Self where Summary == HostSummary {
        Self(
            name: \.name,
            normalized: { $0.lowercased() },
            isAlso: { $0.profile.id.description == $1.lowercased() },
            list: { try await vault(Operations.sshHosts, Listing(inTrash: $0)) }
        )
    }

    /// Secrets by their name.
    package static func secrets(_ vault: any VaultService) -> Self where Summary == CredentialSummary {
        Self(name: \.name, normalized: NameRules.normalized) {
            var query = CredentialQuery()
            query.inTrash = $0
            return try await vault.credentials(query)
        }
    }
}

extension VaultService {
    /// Throws if a contact record is damaged: a contact that was not found may be this one, whose name is unreadable.
    ///
    /// - Throws: `tampered`.
    package func checkContactsAreWhole() async throws {
        for record in try await self(Operations.damagedRecords)
        where record.kind ?? "hsip.contact" == "hsip.contact" {
            throw StoreError.tampered(.record(record))
        }
    }
}

/// The number of typing errors between two names.
package enum NameDistance {
    /// Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment), ignoring case.
    package static func between(_ one: String, _ other: String) -> Int {
        let a = Array(one.lowercased())
        let b = Array(other.lowercased())
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        guard abs(a.count - b.count) < 64, a.count < 256 else { return .max }
        var older: [Int] = []
        var previous = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let same = a[i - 1] == b[j - 1] ? 0 : 1
                var best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + same)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, older[j - 2] + 1)
                }
                row.append(best)
            }
            older = previous
            previous = row
        }
        return previous[b.count]
    }
}
