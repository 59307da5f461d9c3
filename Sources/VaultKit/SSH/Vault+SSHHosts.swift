internal import RecordStore
public import SSHFormats

extension Vault {
    /// Lists the host profiles by name, or the profiles in the trash.
    public func sshHosts(inTrash: Bool = false) throws(VaultError) -> [HostSummary] {
        try profiles().filter { ($0.removedAt != nil) == inTrash }
    }

    /// Returns a host profile, also from the trash; case is ignored.
    ///
    /// - Throws: `unknownHost`.
    public func sshHost(_ name: String) throws(VaultError) -> HostSummary {
        let (info, record) = try reading { reader in
            try reader.opened(HostRecord.self, name.lowercased(), inTrash: true)
        }
        return HostSummary(info, record)
    }

    /// Adds a host profile and reads it back.
    ///
    /// - Throws: the errors of `addSSHHosts`.
    public func addSSHHost(_ host: NewHost) throws(VaultError) -> HostSummary {
        try addSSHHosts([host])[0]
    }

    /// Adds host profiles in one commit, and reads them back, in the same order.
    ///
    /// If a profile with the identifier is in the trash, it is restored.
    ///
    /// - Throws: `hostNameTaken`; `hostInVault` for an identifier that is in use; `unknownKey` or `keyInTrash` for a
    ///   reference to a missing key; the errors of `HostProfile`, as `format`.
    public func addSSHHosts(_ hosts: [NewHost]) throws(VaultError) -> [HostSummary] {
        let names = try transact(HostTransaction.self) { transaction in
            try hosts.map { try transaction.add($0) }
        }
        return try names.map(sshHost)
    }

    /// Changes a host profile; its identifier stays.
    ///
    /// An unchanged reference may name a key that no longer exists.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`; the errors of `addSSHHosts`.
    public func setSSHHost(_ name: String, _ change: HostChange) throws(VaultError) -> HostSummary {
        let name = try transact(HostTransaction.self) { hosts in
            try hosts.change(name, change)
        }
        return try sshHost(name)
    }

    /// Moves a host profile to the trash, which keeps it for 30 days.
    ///
    /// The known host keys stay.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    public func removeSSHHost(_ name: String) throws(VaultError) -> HostSummary {
        try transact(HostTransaction.self) { hosts in
            try hosts.remove(name.lowercased()) { $0.isDefault = false }
        }
        return try sshHost(name)
    }

    /// Restores a host profile from the trash; a profile that is not in the trash stays as it is.
    ///
    /// - Throws: `unknownHost`.
    public func restoreSSHHost(_ name: String) throws(VaultError) -> HostSummary {
        try transact(HostTransaction.self) { hosts in
            try hosts.restore(name.lowercased())
        }
        return try sshHost(name)
    }

    /// Returns the default host, which is used if no host is named; nil if there is none.
    public func defaultSSHHost() throws(VaultError) -> HostSummary? {
        try profiles().first { $0.isDefault }
    }

    /// Sets the default host, which is used if no host is named; nil for none.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    public func setDefaultSSHHost(_ name: String?) throws(VaultError) {
        try transact(HostTransaction.self) { hosts in try hosts.setDefault(name) }
    }

    private func profiles() throws(VaultError) -> [HostSummary] {
        try reading { reader in try reader.hostProfiles() }.all
    }
}

extension HostSummary {
    init(_ info: RecordInfo, _ record: HostRecord) {
        self.init(
            record,
            named: info.id.name,
            created: info.created / 1000,
            modified: info.modified / 1000
        )
    }
}
