/// The state of the log that a vault shares with other machines.
public struct LogSummary: Codable, Sendable {
    /// The progress of this machine.
    public enum Stage: String, Codable, Sendable {
        /// The machine showed a JOIN code, and waits for an ADMIT code.
        case asked
        /// The machine has an ADMIT code, but has not read the log yet.
        case admitted
        /// The machine reads the log, and writes to it if it may.
        case member
        /// The machine was removed, and has no key of the log.
        case removed
    }

    /// The name of this machine.
    public let name: String
    /// The progress of this machine.
    public let stage: Stage
    /// The address of the log; nil before an ADMIT code.
    public let address: LogAddress?
    /// The id of the log, 16 bytes; nil before an ADMIT code.
    public let log: [UInt8]?
    /// The newest entry that this machine accepted; nil before its first sync.
    public let head: LogPlace?
    /// The machines by name; none before the first sync.
    public let machines: [MachineSummary]
    /// Whether entries wait to be sent.
    public let isWaiting: Bool
    /// The number of unsettled conflicts.
    public let conflicts: Int
    /// The number of objects that this program cannot convert to records; they stay in the log.
    public let kept: Int
    /// Whether the vault was restored or repaired and has not synced since; machines and head may be outdated.
    public let isRestored: Bool
}

/// A machine of the log.
public struct MachineSummary: Codable, Sendable {
    /// The name of the machine.
    public let name: String
    /// The role of the machine: `keeper`, `writer`, `reader`, or `left`.
    public let role: String
    /// Whether the machine is this one.
    public let isThis: Bool
    /// Time of its admission, Unix seconds by the clock of the admitting machine; nil if unknown.
    public let added: UInt64?
    /// Time of its newest entry, Unix seconds by its own clock; nil for none.
    public let lastChange: UInt64?
}

/// The address of a log (Schemas/carriers.md section 2).
public struct LogAddress: Codable, Hashable, Sendable {
    /// The kind of carrier: 1 for git, 2 for etcd, 3 for a folder.
    public let carrier: UInt8
    /// The address in the form of the carrier.
    public let text: String

    /// Makes an address from checked values.
    public init(carrier: UInt8, text: String) { (self.carrier, self.text) = (carrier, text) }
}

/// A position in a log: the number, the hash and the key epoch of an entry.
public struct LogPlace: Codable, Hashable, Sendable {
    /// The number of the entry, from 1.
    public let place: UInt64
    /// The hash of the entry, 32 bytes.
    public let hash: [UInt8]
    /// The number of the key at the entry.
    public let epoch: UInt32

    /// Makes a position from its values.
    public init(place: UInt64, hash: [UInt8], epoch: UInt32) {
        (self.place, self.hash, self.epoch) = (place, hash, epoch)
    }
}

/// Entries from a carrier that the vault is to accept.
public struct LogIntake: Codable, Sendable {
    /// The entries, ascending without gaps.
    ///
    /// They begin with the newest accepted entry, which is compared, or with the entry after it. For a log that was never
    /// read, they run from the first entry to the end.
    public var entries: [[UInt8]]
    /// The newest entry recorded in the file beside the vault.
    public var anchor: LogPlace?
    /// The number of objects that earlier pages of this sync deleted.
    public var deleted = 0
    /// Whether a person approved the deletion of many secrets.
    public var acceptsRemovals = false
    /// Whether a person approved that records which a restore lost here are deleted on the other machines.
    public var deletesMissing = false

    /// Makes a page of entries.
    public init(_ entries: [[UInt8]], anchor: LogPlace? = nil) {
        (self.entries, self.anchor) = (entries, anchor)
    }
}

/// The outcome of a page of entries.
public struct LogReport: Codable, Sendable {
    /// The number of accepted changes, by the name of the machine that made them.
    public var received: [String: Int] = [:]
    /// Names of records that two machines changed; the losing value stays as a version.
    public var conflicts: [String] = []
    /// New names of records of this machine, by their old names: the log uses the old names for other records.
    public var renamed: [String: String] = [:]
    /// Names of records that were changed here and deleted elsewhere; the records stay.
    public var removedElsewhere: [String] = []
    /// Hosts for which another machine sent a different key, with the name of that machine; ssh refuses these hosts.
    public var hostKeysDiffer: [String: String] = [:]
    /// The number of objects that this program cannot convert to records; they stay in the log.
    public var kept = 0
    /// Machines that joined, with the name of the machine that added each.
    public var joined: [String: String] = [:]
    /// Machines that left the log, with the name of the machine that removed each; empty if the machine left.
    public var gone: [String: String] = [:]
    /// The number of shared records missing here after a restore or repair; they stay on the other machines.
    public var missing = 0
    /// Whether this machine was removed from the log, or left it.
    public var isRevoked = false
    /// The number of objects deleted so far in this sync.
    public var deleted = 0
    /// The newest accepted entry.
    public var head: LogPlace
}

/// Entries that are durable in the vault and are to be created in the log.
public struct LogDelivery: Codable, Sendable {
    /// The newest entry that the vault has accepted; nil before the first entry.
    public var head: LogPlace?
    /// The number of the first entry to send; 0 if nothing waits.
    public var place: UInt64 = 0
    /// The entries, to be created together.
    public var entries: [[UInt8]] = []
    /// The number of objects that the entries put or delete; for a read-only machine, the number that stays here.
    public var count = 0
    /// New names of records of this machine, by their old names: the log uses the old names for other records.
    public var renamed: [String: String] = [:]
    /// Names of records that are too large to be shared.
    public var tooLarge: [String] = []
    /// The number of objects that this program cannot convert to records; they stay in the log.
    public var kept = 0
    /// The number of shared records missing here after a restore or repair; they stay on the other machines.
    public var missing = 0
    /// Whether this machine only reads the log, so that its own changes are not sent.
    public var isReader = false
}

/// A code for another machine, and the twelve digits that a person types on that machine.
public struct MachineCodeShown: Codable, Sendable {
    /// The code.
    public let code: String
    /// The digits.
    public let number: String
}
