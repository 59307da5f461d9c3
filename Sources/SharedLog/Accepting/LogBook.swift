package import VaultCrypto

/// What one machine knows of the log: everything that a commit keeps.
///
/// It is a value: an entry that is refused leaves it as it was.
package struct LogBook: Sendable {
    /// A compaction whose snapshot is not whole yet.
    package struct OpenCompaction: Hashable, Sendable {
        /// Its place.
        package let place: UInt64
        /// Who finishes it.
        package let author: MachineID
        /// Parts of the snapshot.
        package let parts: Int
        /// The part that comes next.
        package internal(set) var next: Int
        /// The digest of the state that the snapshot shows.
        package let digest: [UInt8]
    }

    /// The parts of a change that has not come to its end.
    package struct UnfinishedChange: Sendable {
        /// Who writes it.
        package let author: MachineID
        /// How many parts it will have.
        package let parts: UInt16
        /// The parts that are there.
        package internal(set) var bodies: [Secret]

        var byteCount: Int { bodies.reduce(0) { $0 + $1.count } }
    }

    /// Whose book it is.
    package let machine: MachineID
    /// The newest entry that was taken.
    package internal(set) var head: LogHead
    /// The number of the key.
    package internal(set) var epoch: UInt32
    /// K, which entries are sealed under; nil once this machine is removed.
    package internal(set) var key: Secret?
    /// The machines and objects behind the head.
    package internal(set) var state: LogState
    /// The hashes of the entries up to the head.
    package internal(set) var chain: ChainList
    /// A compaction that is not whole.
    package internal(set) var compaction: OpenCompaction?
    /// A change that is not whole.
    package internal(set) var unfinished: UnfinishedChange?
    /// The head is a removal: nothing but a rekey may follow.
    package internal(set) var awaitsRekey = false
    /// The newest entry of this machine.
    package internal(set) var ownPlace: UInt64 = 0
    /// The newest whole compaction: where a machine that joins may begin.
    package internal(set) var newestWhole: UInt64 = 0

    /// When each machine was added and wrote last, by the clocks of those who wrote the entries, Unix milliseconds.
    package internal(set) var times: [MachineID: MachineTimes] = [:]

    /// Two times of a machine; 0 for unknown.
    package struct MachineTimes: Hashable, Sendable {
        /// When it was added.
        package internal(set) var added: UInt64 = 0
        /// When it wrote its newest entry.
        package internal(set) var last: UInt64 = 0
    }

    /// The log.
    package var log: LogID { state.log }
    /// This machine as the log has it; nil once it is removed.
    package var member: Member? { state.members[machine] }

    init(machine: MachineID, head: LogHead, epoch: UInt32, key: Secret, state: LogState, chain: ChainList) {
        self.machine = machine
        self.head = head
        self.epoch = epoch
        self.key = key
        self.state = state
        self.chain = chain
    }

    /// A book as records have it.
    package init(
        machine: MachineID,
        head: LogHead,
        epoch: UInt32,
        key: Secret?,
        state: LogState,
        chain: ChainList,
        compaction: OpenCompaction?,
        unfinished: UnfinishedChange?,
        awaitsRekey: Bool,
        ownPlace: UInt64,
        newestWhole: UInt64
    ) {
        self.machine = machine
        self.head = head
        self.epoch = epoch
        self.key = key
        self.state = state
        self.chain = chain
        self.compaction = compaction
        self.unfinished = unfinished
        self.awaitsRekey = awaitsRekey
        self.ownPlace = ownPlace
        self.newestWhole = newestWhole
    }

    /// Whether an ADMIT may be made: as long as a compaction is not whole, its key leads nowhere back, and a machine that
    /// joins would be stuck if its author disappeared.
    package var mayAdmit: Bool { compaction == nil && !awaitsRekey }
}

/// What taking an entry needs to know beside the log.
package struct EntryContext: Sendable {
    /// The secrets that may open a box for this machine.
    package var boxSecrets: [Secret]
    /// The hashes of entries that this machine has sent, or is about to.
    package var sent: Set<[UInt8]> = []
    /// The generation of this vault.
    package var generation: UInt64
    /// The vault was restored, and may have forgotten entries of its own.
    package var wasRestored = false
    /// What the file beside the vault has seen.
    package var anchor: LogHead?

    /// Facts of a vault that was never restored.
    package init(boxSecrets: [Secret], generation: UInt64) {
        self.boxSecrets = boxSecrets
        self.generation = generation
    }
}

/// An entry that was taken.
package struct AcceptedEntry: Sendable {
    /// What it did.
    package enum Effect: Sendable {
        /// A change, whole: its operations in their order.
        case change([LogOperation])
        /// A part of a change that goes on.
        case unfinished
        /// Another key; the one before is wiped with the same commit.
        case rekey(RekeyReason)
        /// A part of a snapshot.
        case snapshotPart(isLast: Bool)
        /// This machine was removed: the keys of the log are wiped, the records stay.
        case revoked(reason: UInt8)
    }

    /// The place and hash.
    package let head: LogHead
    /// Who wrote it.
    package let author: MachineID
    /// When, in milliseconds of its author's clock.
    package let time: UInt64
    /// The generation of its author's vault.
    package let generation: UInt64
    /// This machine wrote it and remembers it: the index follows, the records do not.
    ///
    /// What a restored vault has forgotten is merged as if another had written it, or its changes would not come back.
    package let isOwn: Bool
    /// What it did.
    package let effect: Effect
}
