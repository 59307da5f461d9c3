internal import RecordStore
internal import Secrets
internal import SharedLog
internal import VaultCrypto

/// A decision of a sync that a person may change.
public struct ConflictSummary: Codable, Sendable {
    /// `renamed`, `bothChanged`, `removedElsewhere` or `hostKeys`.
    public let reason: String
    /// `secret`, `sshKey`, `sshHost` or `knownHost`.
    public let kind: String
    /// The name of the record.
    public let name: String
    /// The new name of the record of this machine; nil unless it was renamed.
    public let other: String?
    /// The name of the other machine; nil if unknown.
    public let machine: String?
    /// When this machine noticed the conflict, Unix seconds.
    public let time: UInt64
}

/// A person's choice for a conflict.
public enum ConflictChoice: String, Codable, Sendable, CaseIterable {
    /// The record or value of this machine wins.
    case mine
    /// The record or value of the other machine wins.
    case theirs
    /// Both stay as they are.
    case both
}

extension Vault {
    /// Lists the unsettled conflicts, the oldest first.
    public func conflicts() throws(VaultError) -> [ConflictSummary] {
        try reading { reader in
            try StoredLog.conflicts(reader).values.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
                .map { ConflictSummary($0) }
        }
    }

    /// Settles the conflicts about a name, or about the new name of a record.
    ///
    /// - Returns: the settled conflicts.
    /// - Throws: `noLog`; `noConflict`.
    public func settle(_ name: String, _ choice: ConflictChoice) throws(VaultError) -> [ConflictSummary] {
        let name = NameRules.normalized(name)
        return try log { transaction in
            var sync = try transaction.begin()
            let settled = sync.log.conflicts.filter { $0.value.name == name || $0.value.other == name }
            guard !settled.isEmpty else { throw LogError(.noConflict) }
            for (id, conflict) in settled.sorted(by: { $0.value.time < $1.value.time }) {
                try sync.settle(conflict, choice)
                sync.log.conflicts[id] = nil
            }
            transaction.sync = sync
            return settled.values.sorted { $0.time < $1.time }.map { ConflictSummary($0) }
        }
    }
}

extension SyncTransaction {
    /// Applies a choice for a conflict.
    mutating func settle(_ conflict: LogConflict, _ choice: ConflictChoice) throws {
        let before = keys.holders
        switch SharedKind(rawValue: conflict.kind) {
        case .secret: try secrets.settle(conflict, choice)
        case .sshKey: try keys.settle(conflict, choice)
        case .sshHost: try hosts.settle(conflict, choice)
        default: break
        }
        try followKeys(since: before)
    }
}

extension SharedRecords {
    /// Applies a choice for a conflict; records that were deleted or renamed since stay as they are.
    mutating func settle(_ conflict: LogConflict, _ choice: ConflictChoice) throws {
        guard let id = holders[conflict.name], let item = try find(id) else { return }
        switch (conflict.reason, choice) {
        case (.renamed, .mine):
            guard let other = holders[conflict.other], let mine = try find(other) else { return }
            try swap(item, mine)
        case (.bothChanged, .mine), (.bothChanged, .theirs):
            guard let object = choice == .mine ? conflict.mine : conflict.theirs,
                let kept = Item(try SharedObject(encoded: object)),
                let content = try item.restoring(kept, at: records.now)
            else { return }
            try rewrite(id, item.name, content)
        case (.removedElsewhere, .theirs): try remove(id)
        default: break
        }
    }
}

extension ConflictSummary {
    init(_ conflict: LogConflict) {
        self.init(
            reason: "\(conflict.reason)",
            kind: SharedKind(rawValue: conflict.kind).map { "\($0)" } ?? "",
            name: conflict.name,
            other: conflict.other.isEmpty ? nil : conflict.other,
            machine: conflict.machine.isEmpty ? nil : conflict.machine,
            time: conflict.time
        )
    }
}
