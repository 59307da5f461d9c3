public import SSHFormats
internal import VaultPolicy

extension Operations {
    /// Lists all current lines for some host names.
    public static let knownHosts = Operation.look("host-keys.known") {
        (vault: isolated Vault, _: Caller, names: [HostName]) in
        try vault.knownHosts(for: names)
    }
    static let importKnownHosts = Operation(
        "host-keys.import",
        .decidesLater(changeTrusted),
        subjects: { file, conflicts in
            let known =
                switch conflicts {
                case .leave: [String]()
                case .add: ["If a host has another known key, hsip trusts both"]
                case .replace: ["If a host has another known key, hsip no longer trusts that key"]
                }
            return CallSubjects.none.detailed(known + file.hosts.map(\.fact))
        },
        audit: .trust
    ) {
        (
            vault: isolated Vault,
            _: Caller,
            file: KnownHostsFile,
            conflicts: KnownHostsImport.Conflicts
        ) in
        try vault.importKnownHosts(file, conflicts: conflicts)
    }
    static let tryKnownHosts = Operation.look("host-keys.try-import") {
        (
            vault: isolated Vault,
            _: Caller,
            file: KnownHostsFile,
            conflicts: KnownHostsImport.Conflicts
        ) in
        try vault.importKnownHosts(file, conflicts: conflicts, isTrial: true)
    }
    /// Returns every current line, in order, byte for byte.
    public static let exportKnownHosts = Operation.look("host-keys.export") {
        (vault: isolated Vault, _: Caller) in try vault.exportKnownHosts()
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Like `knownHosts`; a vault in this process runs it on the caller's thread.
    public func knownHostsAtOnce(for names: [HostName]) async throws -> [KnownHost] {
        if let local = self as? LocalService { return try local.vault.knownHostsAtOnce(for: names) }
        return try await self(Operations.knownHosts, names)
    }

    /// Imports the lines of a known_hosts file.
    public func importKnownHosts(
        _ file: KnownHostsFile,
        conflicts: KnownHostsImport.Conflicts = .leave,
        isTrial: Bool = false
    ) async throws -> KnownHostsImport {
        // A trial trusts no key, so it is an operation of its own.
        try await self(isTrial ? Operations.tryKnownHosts : Operations.importKnownHosts, file, conflicts)
    }
}
