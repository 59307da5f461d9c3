extension Vault {
    /// The host profiles by name, or those in the trash.
    public func sshHosts(inTrash: Bool = false) throws(VaultError) -> [HostSummary] {
        throw .ssh(.unknownHost)
    }

    /// A host profile, the trash included; upper and lower case are the same.
    ///
    /// - Throws: `unknownHost`.
    public func sshHost(_ name: String) throws(VaultError) -> HostSummary {
        throw .ssh(.unknownHost)
    }

    /// Adds a host profile and reads it back.
    ///
    /// - Throws: what `addSSHHosts` throws.
    public func addSSHHost(_ host: NewHost) throws(VaultError) -> HostSummary {
        throw .ssh(.unknownHost)
    }

    /// Adds host profiles, all of them in one commit, and reads them back; they come in the same order.
    ///
    /// - Throws: `hostNameTaken`; `hostInVault` for an identifier that is known; `unknownKey` or `keyInTrash`
    ///   for a reference to a key that is not there; what `HostProfile` refuses, as `format`.
    public func addSSHHosts(_ hosts: [NewHost]) throws(VaultError) -> [HostSummary] {
        throw .ssh(.unknownHost)
    }

    /// Changes a host profile; its identifier stays.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`; and what `addSSHHosts` throws. A reference that was there before
    ///   may name a key that is gone.
    public func setSSHHost(_ name: String, _ change: HostChange) throws(VaultError) -> HostSummary {
        throw .ssh(.unknownHost)
    }

    /// Puts a host profile into the trash, which keeps it for 30 days. What is known of its keys stays.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    public func removeSSHHost(_ name: String) throws(VaultError) -> HostSummary {
        throw .ssh(.unknownHost)
    }

    /// Takes a host profile out of the trash; one that is not in it stays as it is.
    ///
    /// - Throws: `unknownHost`.
    public func restoreSSHHost(_ name: String) throws(VaultError) -> HostSummary {
        throw .ssh(.unknownHost)
    }

    /// The host that is meant when none is named; nil if there is none.
    public func defaultSSHHost() throws(VaultError) -> HostSummary? {
        throw .ssh(.unknownHost)
    }

    /// Says which host is meant when none is named; nil for none.
    ///
    /// - Throws: `unknownHost`; `hostInTrash`.
    public func setDefaultSSHHost(_ name: String?) throws(VaultError) {
        throw .ssh(.unknownHost)
    }
}
