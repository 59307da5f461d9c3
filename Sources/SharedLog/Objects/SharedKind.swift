internal import VaultCrypto

/// The kinds of shared records, by their numbers in the log.
package enum SharedKind: UInt8, Hashable, Sendable, CaseIterable {
    case secret = 1
    case sshKey = 2
    case sshHost = 3
    case knownHost = 4
    case pin = 5
    case endedIdentity = 6
    case rule = 7
    case conflict = 8
    case machineIdentity = 9

    /// Whether two of the kind never have one name.
    package var hasUniqueNames: Bool {
        switch self {
        case .secret, .sshKey, .sshHost, .rule: true
        case .knownHost, .pin, .endedIdentity, .conflict, .machineIdentity: false
        }
    }
}

extension SharedObject {
    /// Its kind; nil for one of later programs.
    package var sharedKind: SharedKind? { SharedKind(rawValue: kind) }

    /// Refuses an object whose id is not that of its content, or whose content says that it is of a later version.
    ///
    /// Of the kinds whose contents other pages describe, what the id needs is read and no more.
    ///
    /// - Throws: `logTampered`, `newerEntry`.
    func checkIdentity() throws(LogError) {
        guard let kind = sharedKind else { return }
        switch kind {
        case .secret: return
        case .sshKey: try require(.sshKey, try sshKeyFingerprint())
        case .sshHost:
            var reader = try versioned()
            guard try reader.byte() & 1 == 0 else { throw LogError(.logTampered) }
            _ = try reader.take(4)
            let identifier: ObjectID = try reader.identifier()
            guard identifier == id else { throw LogError(.logTampered) }
        case .knownHost: try require(.knownHost, try KnownHostObject(content: content).line)
        case .pin:
            let pin = try PinObject(content: content)
            guard name == Hex.encode(pin.peerID) else { throw LogError(.logTampered) }
            try require(.pin, pin.peerID)
        case .endedIdentity: try require(.ended, try EndedIdentityObject(content: content).peerID)
        case .rule:
            _ = try RuleObject(content: content)
            try require(.rule, Array(name.utf8))
        case .conflict:
            guard id == (try ConflictObject(content: content).id) else { throw LogError(.logTampered) }
        case .machineIdentity:
            _ = try MachineIdentityObject(content: content)
            guard let machine = Hex.decode(name), machine.count == MachineID.size,
                Hex.encode(machine) == name
            else { throw LogError(.logTampered) }
            try require(.machineIdentity, machine)
        }
    }

    private func require(_ label: LogLabel, _ subject: [UInt8]) throws(LogError) {
        guard id == ObjectID(of: label, subject) else { throw LogError(.logTampered) }
    }

    private func versioned() throws(LogError) -> LogReader {
        var reader = LogReader(content)
        guard try reader.byte() == 1 else { throw LogError(.newerEntry) }
        return reader
    }

    /// The SHA-256 of the public half (Schemas/ssh-records.md section 2).
    private func sshKeyFingerprint() throws(LogError) -> [UInt8] {
        var reader = try versioned()
        _ = try reader.take(3 + 3 * 4)
        _ = try reader.string(limit: 32)
        return Hash.sha256(try reader.string(limit: 1 << 16))
    }
}

extension ObjectID {
    /// H(L(label) ‖ subject)[0..16].
    package init(of label: LogLabel, _ subject: [UInt8]) {
        self.init(digest: Hash.sha256(label.bytes + subject))
    }
}
