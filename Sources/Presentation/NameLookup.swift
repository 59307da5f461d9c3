internal import HSIP
internal import RecordStore
package import SSHFormats
package import VaultKit

/// Finds what a word names among the records of one kind: contacts, SSH keys, hosts or secrets.
///
/// An exact name comes first, then another way to write the same thing (a fingerprint, an identifier), then the
/// beginning of one name where the caller allows it. The command line and the C library use the same lookup.
package struct NameLookup<Summary: Sendable>: Sendable {
    /// What a word means.
    package enum Answer: Sendable {
        /// The record of exactly this name.
        case named(Summary)
        /// The only record whose name begins like this.
        case begun(Summary)
        /// Several records have this name.
        case ambiguous([Summary])
        /// A removed record has this name.
        case inTrash
        /// No record; the names that are nearest, sorted.
        case unknown(near: [String])
    }

    private let list: @Sendable (_ inTrash: Bool) async throws -> [Summary]
    private let name: @Sendable (Summary) -> String
    private let normalized: @Sendable (String) -> String
    private let isAlso: @Sendable (Summary, String) -> Bool

    /// - Parameters:
    ///   - name: What a record is called.
    ///   - normalized: A word as names of this kind are written.
    ///   - isAlso: Whether a word names a record in another way than by its name.
    ///   - list: Every record, or every removed one.
    package init(
        name: @escaping @Sendable (Summary) -> String,
        normalized: @escaping @Sendable (String) -> String = { $0 },
        isAlso: @escaping @Sendable (Summary, String) -> Bool = { _, _ in false },
        list: @escaping @Sendable (_ inTrash: Bool) async throws -> [Summary]
    ) {
        (self.name, self.normalized, self.isAlso, self.list) = (name, normalized, isAlso, list)
    }

    /// Looks for a word among the records, or among the removed ones.
    ///
    /// With `byBeginning` the beginning of one name is enough; an empty word begins none. Throws what keeps
    /// the records from being listed.
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

    /// The names that a word may have been meant to be.
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
    /// Makes sure that the contact of a name that is not found is none of those that cannot be read, whose names are
    /// not known.
    ///
    /// - Throws: `tampered`.
    package func checkContactsAreWhole() async throws {
        for record in try await self(Operations.damagedRecords)
        where record.kind ?? "hsip.contact" == "hsip.contact" {
            throw StoreError.tampered(.record(record))
        }
    }
}

/// How many typing mistakes lie between two names.
package enum NameDistance {
    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment); case is free.
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
