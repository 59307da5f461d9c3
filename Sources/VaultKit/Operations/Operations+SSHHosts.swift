public import SSHFormats
internal import VaultPolicy

extension Operations {
    /// The operations on host profiles.
    static var sshHostOperations: [any AnyOperation] {
        [
            sshHosts, sshHost, addSSHHosts, setSSHHost, removeSSHHost, restoreSSHHost, defaultSSHHost,
            setDefaultSSHHost,
        ]
    }

    private static let leads = ApprovalQuestion(
        "change the address of the host %1",
        nameless: "change the addresses of hosts"
    )

    /// The name of a profile as the vault stores it, so that rules match every spelling.
    private static func profile(_ name: String) -> String { name.lowercased() }

    /// Lists the host profiles by name, or the profiles in the trash.
    public static let sshHosts = Operation.look("ssh-hosts") {
        (vault: isolated Vault, _: Caller, listing: Listing) in
        try vault.sshHosts(inTrash: listing == .trash)
    }
    /// Returns a host profile, also from the trash.
    public static let sshHost = Operation.look("ssh-host") {
        (vault: isolated Vault, _: Caller, name: String) in try vault.sshHost(name)
    }
    /// Adds host profiles, all of them in one commit.
    public static let addSSHHosts = Operation(
        "ssh-host.add",
        .decidesLater(leads),
        subjects: { hosts in
            CallSubjects.named(hosts.map { profile($0.name) }).detailed(hosts.map(\.fact))
        },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, hosts: [NewHost]) in
        try vault.addSSHHosts(hosts)
    }
    /// Changes a host profile.
    public static let setSSHHost = Operation(
        "ssh-host.set",
        .decidesLater(leads),
        when: { name, change in change.name == nil || profile(change.name ?? "") == profile(name) },
        otherwise: .decidesLater("rename the host profile %1 to %2, and change its address"),
        subjects: { name, change in
            CallSubjects.named(profile(name), change.name.map(profile)).detailed(change.facts)
        },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, change: HostChange) in
        try vault.setSSHHost(name, change)
    }
    /// Moves a host profile to the trash.
    public static let removeSSHHost = Operation(
        "ssh-host.remove",
        .decidesLater(leads),
        subjects: { name in .named(profile(name)) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.removeSSHHost(name)
    }
    /// Restores a host profile from the trash.
    public static let restoreSSHHost = Operation(
        "ssh-host.restore",
        .decidesLater(leads),
        subjects: { name in .named(profile(name)) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.restoreSSHHost(name)
    }
    /// Returns the default host, which is used if no host is named.
    public static let defaultSSHHost = Operation.look("ssh-host.default") {
        (vault: isolated Vault, _: Caller) in try vault.defaultSSHHost()
    }
    /// Sets the default host, which is used if no host is named.
    public static let setDefaultSSHHost = Operation(
        "ssh-host.set-default",
        .change,
        subjects: { name in .named(name.map(profile)) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String?) -> Nothing in
        try vault.setDefaultSSHHost(name)
        return Nothing()
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Adds a host profile.
    public func addSSHHost(_ host: NewHost) async throws -> HostSummary {
        guard let added = try await self(Operations.addSSHHosts, [host]).first else {
            throw VaultError.malformedCall
        }
        return added
    }
}
