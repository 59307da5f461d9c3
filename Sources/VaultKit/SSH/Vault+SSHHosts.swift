internal import SSHFormats

extension Vault {
    /// The host profiles by name, or those in the trash.
    public func sshHosts(inTrash: Bool = false) throws(VaultError) -> [HostSummary] {
        try on(HostTurn.self) { turn in turn.summaries.filter { ($0.removedAt != nil) == inTrash } }
    }

    /// A host profile, the trash included; upper and lower case are the same.
    ///
    /// - Throws: `unknownHost`.
    public func sshHost(_ name: String) throws(VaultError) -> HostSummary {
        try on(HostTurn.self) { (turn) throws(VaultError) in
            let name = try turn.host(name, inTrash: true).name
            guard let summary = turn.summaries.first(where: { $0.name == name }) else {
                throw .ssh(.unknownHost)
            }
            return summary
        }
    }

    /// Adds a host profile and reads it back.
    ///
    /// - Throws: what `addSSHHosts` throws.
    public func addSSHHost(_ host: NewHost) throws(VaultError) -> HostSummary {
        try addSSHHosts([host])[0]
    }

    /// Adds host profiles, all of them in one commit, and reads them back; they come in the same order.
    ///
    /// One with the identifier of a profile in the trash takes that one out of it.
    ///
    /// - Throws: `hostNameTaken`; `hostInVault` for an identifier that is in use; `unknownKey` or `keyInTrash`
    ///   for a reference to a key that is not there; what `HostProfile` refuses, as `format`.
    public func addSSHHosts(_ hosts: [NewHost]) throws(VaultError) -> [HostSummary] {
        let names = try on(HostTurn.self, isProved: true) { (turn) throws(VaultError) in
            try hosts.map { (host) throws(VaultError) in try turn.add(host) }
        }
        // One look for all: each opens every profile.
        let there = try sshHosts()
        let summaries = Dictionary(there.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return try names.map { (name) throws(VaultError) in
            guard let summary = summaries[name] else { throw .ssh(.unknownHost) }
            return summary
        }
    }

    /// Changes a host profile; its identifier stays.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`; and what `addSSHHosts` throws. A reference that was there before
    ///   may name a key that is gone.
    public func setSSHHost(_ name: String, _ change: HostChange) throws(VaultError) -> HostSummary {
        let name = try on(HostTurn.self, isProved: true) { (turn) throws(VaultError) in
            try turn.change(name, change)
        }
        return try sshHost(name)
    }

    /// Puts a host profile into the trash, which keeps it for 30 days.
    ///
    /// What is known of its keys stays.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    public func removeSSHHost(_ name: String) throws(VaultError) -> HostSummary {
        let name = try on(HostTurn.self, isProved: true) { (turn) throws(VaultError) in
            var (name, record) = try turn.host(name)
            record.removedAt = turn.now
            record.isDefault = false
            turn.put(record, at: name)
            return name
        }
        return try sshHost(name)
    }

    /// Takes a host profile out of the trash; one that is not in it stays as it is.
    ///
    /// - Throws: `unknownHost`.
    public func restoreSSHHost(_ name: String) throws(VaultError) -> HostSummary {
        let name = try on(HostTurn.self, isProved: true) { (turn) throws(VaultError) in
            var (name, record) = try turn.host(name, inTrash: true)
            record.removedAt = nil
            turn.put(record, at: name)
            return name
        }
        return try sshHost(name)
    }

    /// The host that is meant when none is named; nil if there is none.
    public func defaultSSHHost() throws(VaultError) -> HostSummary? {
        try on(HostTurn.self) { turn in turn.summaries.first { $0.isDefault } }
    }

    /// Says which host is meant when none is named; nil for none.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    public func setDefaultSSHHost(_ name: String?) throws(VaultError) {
        try on(HostTurn.self, isProved: true) { (turn) throws(VaultError) in
            turn.setDefault(try name.map { (name) throws(VaultError) in try turn.host(name).name })
        }
    }
}
