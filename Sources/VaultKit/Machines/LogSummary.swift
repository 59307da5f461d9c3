/// The state of the log that a vault shares with other machines.
public struct LogSummary: Codable, Sendable {
    /// The progress of this machine.
    public enum Stage: String, Codable, Sendable {
        /// The machine showed a JOIN code, and waits for an ADMIT code.
        case asked
        /// The machine has an ADMIT code, and has not read the log.
        case admitted
        /// It reads the log, and writes to it if it may.
        case member
        /// It was removed, and has no key of the log.
        case removed
    }

    /// What people call this machine.
    public let name: String
    /// How far it has come.
    public let stage: Stage
    /// Where the log is kept; nil before an ADMIT code.
    public let address: LogAddress?
    /// Which log, 16 bytes; nil before an ADMIT code.
    public let log: [UInt8]?
    /// The newest entry that this machine accepted; nil before its first sync.
    public let head: LogPlace?
    /// The machines by name; none before the first sync.
    public let machines: [MachineSummary]
    /// Whether entries wait to be sent.
    public let isWaiting: Bool
    /// How many conflicts nobody has settled.
    public let conflicts: Int
    /// How many objects this program can make no record of; they stay in the log.
    public let kept: Int
    /// Whether the vault was restored or repaired, and did not sync since: the machines and the head may be old ones.
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

/// Where a log is kept (Schemas/carriers.md section 2).
public struct LogAddress: Codable, Hashable, Sendable {
    /// 1 for git, 2 for etcd, 3 for a folder.
    public let carrier: UInt8
    /// The address.
    public let text: String

    /// An address that was checked.
    public init(carrier: UInt8, text: String) { (self.carrier, self.text) = (carrier, text) }
}

/// An entry of a log.
public struct LogPlace: Codable, Hashable, Sendable {
    /// Its number, from 1 on.
    public let place: UInt64
    /// Its hash, 32 bytes.
    public let hash: [UInt8]
    /// The number of the key at that entry.
    public let epoch: UInt32

    /// An entry by its values.
    public init(place: UInt64, hash: [UInt8], epoch: UInt32) {
        (self.place, self.hash, self.epoch) = (place, hash, epoch)
    }
}

/// Entries that a carrier gave, for the vault to accept.
public struct LogIntake: Codable, Sendable {
    /// The entries, ascending without a gap: from the newest accepted one on, which is compared, or from the one after it; of
    /// a log that was never read from its first on, to its end.
    public var entries: [[UInt8]]
    /// The newest entry that the file beside the vault has seen.
    public var anchor: LogPlace?
    /// How many objects went in the earlier pages of this sync.
    public var deleted = 0
    /// A person agreed that many secrets are deleted.
    public var acceptsRemovals = false
    /// A person agreed that records which a restore lost here are deleted elsewhere.
    public var deletesMissing = false

    /// A page.
    public init(_ entries: [[UInt8]], anchor: LogPlace? = nil) {
        (self.entries, self.anchor) = (entries, anchor)
    }
}

/// What became of a page.
public struct LogReport: Codable, Sendable {
    /// Changes that were accepted, by the name of the machine that made them.
    public var received: [String: Int] = [:]
    /// Names of records that two machines changed; the losing value stays as a version.
    public var conflicts: [String] = []
    /// New names of records of this machine, by their old ones: the log has their names for others.
    public var renamed: [String: String] = [:]
    /// Names of records that were changed here and deleted elsewhere: they stay.
    public var removedElsewhere: [String] = []
    /// Hosts for which another machine brought another key, with the name of that machine: ssh refuses them.
    public var hostKeysDiffer: [String: String] = [:]
    /// How many objects this program can make no record of; they stay in the log.
    public var kept = 0
    /// Machines that joined, with the name of the machine that added it.
    public var joined: [String: String] = [:]
    /// Machines that are in the log no more, with the name of the machine that removed it; empty if it left.
    public var gone: [String: String] = [:]
    /// How many shared records were missing here after a restore or repair; they stay on the other machines.
    public var missing = 0
    /// This machine was removed from the log, or left it.
    public var isRevoked = false
    /// How many objects went by now in this sync.
    public var deleted = 0
    /// The newest entry that is accepted by now.
    public var head: LogPlace
}

/// Entries that are durable in the vault, to be created in the log.
public struct LogDelivery: Codable, Sendable {
    /// The newest entry that the vault has accepted; nil before the first.
    public var head: LogPlace?
    /// The number of the first one; 0 if there is nothing to send.
    public var place: UInt64 = 0
    /// The entries, to be created together.
    public var entries: [[UInt8]] = []
    /// How many objects they put or delete; of a machine that only reads, how many stay here.
    public var count = 0
    /// New names of records of this machine, by their old ones: the log has their names for others.
    public var renamed: [String: String] = [:]
    /// Names of records that are too large to be shared.
    public var tooLarge: [String] = []
    /// How many objects this program can make no record of; they stay in the log.
    public var kept = 0
    /// How many shared records were missing here after a restore or repair; they stay on the other machines.
    public var missing = 0
    /// Whether this machine only reads the log, so that its own changes stay here.
    public var isReader = false
}

/// A code for another machine, and the twelve digits that a person types there.
public struct MachineCodeShown: Codable, Sendable {
    /// The code.
    public let code: String
    /// The digits.
    public let number: String
}
