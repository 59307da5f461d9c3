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
