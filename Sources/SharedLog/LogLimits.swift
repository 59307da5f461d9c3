/// What is checked before memory is taken (Schemas/machines.md section 8).
package enum LogLimits {
    /// Bytes in an entry.
    package static let entry = 1 << 20
    /// Bytes of operations, or of a snapshot, in one entry.
    package static let part = 900_000
    /// Machines, and boxes of a rekey.
    package static let machines = 256
    /// Keepers that were, and whose certificates may be needed.
    package static let former = 4_096
    /// Shared objects.
    package static let objects = 200_000
    /// Bytes in the content of one object.
    package static let content = 16 << 20
    /// Bytes in the name of an object.
    package static let objectName = 512
    /// Bytes in the name of a machine.
    package static let machineName = 40
    /// Bytes in an address of a carrier.
    package static let address = 256
    /// Bytes in a JOIN.
    static let join = 256
    /// Parts of a change.
    package static let changeParts = 512
    /// Bytes of a change that is not whole.
    package static let unfinished = 24 << 20
    /// Bytes of a state.
    package static let stream = 256 << 20
    /// Parts of a snapshot.
    package static let snapshotParts = 320
    /// Hashes of entries that a machine remembers, and that a compaction carries.
    package static let chain = 4_096
    /// So many objects may always go in one entry; more, and a fifth of all, are asked about.
    package static let removals = 20
}

/// Domain separation of the log: L(x) = ASCII `HSIP-LOG/1 ` ‖ x ‖ 00 (Schemas/machines.md section 1).
package enum LogLabel: String, CaseIterable, Sendable {
    case machine, hash, seal, entry, box, object, bucket, members, state
    case keyCheck = "key-check"
    case boxKey = "box-key"
    case sigEntry = "sig-entry"
    case sigMember = "sig-member"
    case paper
    case paperSign = "paper-sign"
    case paperBox = "paper-box"
    case sshKey = "ssh-key"
    case knownHost = "known-host"
    case pin, ended, rule, conflict
    case machineIdentity = "machine-identity"
    /// For digests that stay in one vault.
    case register

    /// The label as it is hashed or authenticated.
    package var bytes: [UInt8] { Array("HSIP-LOG/1 ".utf8) + Array(rawValue.utf8) + [0] }
}
