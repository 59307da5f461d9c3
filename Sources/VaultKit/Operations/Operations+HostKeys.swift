public import SSHFormats
internal import VaultPolicy

extension Operations {
    /// The operations on the keys of hosts.
    static var hostKeyOperations: [any AnyOperation] {
        [
            knownHosts, checkHostKey, hostKeys, trustHostKeys, replaceHostKey, revokeHostKey, removeHostKeys,
            removeHostKey, restoreHostKeys, importKnownHosts, tryKnownHosts, exportKnownHosts,
        ]
    }

    static let changeTrusted = ApprovalQuestion(
        "change the trusted keys of the host %1",
        nameless: "change the trusted keys of hosts"
    )

    private static func shown(_ key: PublicKey) -> String {
        "\(key.algorithm.shortName) \(key.fingerprint)"
    }

    // Only hsip, which ssh asks, records that a host was seen; other programs only look.
    /// Returns the verdict on a key that a host offers.
    public static let checkHostKey = Operation.look("host-keys.check") {
        (
            vault: isolated Vault,
            caller: Caller,
            key: PublicKey,
            name: HostName,
            noting: Bool
        ) in
        try vault.checkHostKey(key, for: name, noting: noting && caller.isOwn)
    }
    /// Lists the lines of a host under exactly this name, or of all hosts.
    public static let hostKeys = Operation.look("host-keys") {
        (vault: isolated Vault, _: Caller, name: HostName?) in
        try vault.hostKeys(for: name)
    }
    /// Trusts the keys of a host in one commit.
    public static let trustHostKeys = Operation(
        "host-keys.trust",
        .decidesLater(changeTrusted),
        subjects: { keys, name, _, additional in
            CallSubjects.named(name.lookup)
                .detailed(
                    keys.map { "Key: \(shown($0))" }
                        + (additional ? ["Keeps the known keys of the host"] : [])
                )
        },
        audit: .trust
    ) {
        (
            vault: isolated Vault,
            _: Caller,
            keys: [PublicKey],
            name: HostName,
            source: HostKeySource,
            additional: Bool
        ) in
        try vault.trustHostKeys(keys, for: name, source: source, additional: additional)
    }
    /// Replaces the known keys of a host by one key.
    public static let replaceHostKey = Operation(
        "host-keys.replace",
        .decidesLater(changeTrusted),
        subjects: { name, key, _, old, _ in
            let replaced = old.map { "\($0)" } ?? "every known key of the host"
            return CallSubjects.named(name.lookup)
                .detailed(["Key: \(shown(key))", "Replaces: \(replaced)"])
        },
        audit: .replace
    ) {
        (
            vault: isolated Vault,
            _: Caller,
            name: HostName,
            key: PublicKey,
            expected: Fingerprint,
            old: Fingerprint?,
            source: HostKeySource
        ) in
        try vault.replaceHostKey(for: name, by: key, expecting: expected, replacing: old, source: source)
    }
    /// Revokes a key, so that it is never trusted again.
    public static let revokeHostKey = Operation(
        "host-keys.revoke",
        .trust(changeTrusted),
        subjects: { key, name in
            CallSubjects.named(name?.lookup)
                .detailed(["Never taken again\(name == nil ? " for any host" : ""): \(shown(key))"])
        },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, key: PublicKey, name: HostName?) in
        try vault.revokeHostKey(key, for: name)
    }
    /// Removes the keys of a host, or only the key with this fingerprint.
    public static let removeHostKeys = Operation(
        "host-keys.remove",
        .decidesLater(changeTrusted),
        subjects: { name, fingerprint in
            CallSubjects.named(name.lookup)
                .detailed(["Forgotten: \(fingerprint.map { "\($0)" } ?? "every key of the host")"])
        },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: HostName, fingerprint: Fingerprint?) in
        try vault.removeHostKeys(for: name, only: fingerprint)
    }
    /// Removes one whole current line.
    public static let removeHostKey = Operation(
        "host-keys.remove-line",
        .decidesLater(changeTrusted),
        subjects: { id in .removedLine(id) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, id: HostKeySummary.ID) in
        try vault.removeHostKey(id: id)
    }
    /// Restores the lines that were last removed from a name.
    public static let restoreHostKeys = Operation(
        "host-keys.restore",
        .decidesLater(changeTrusted),
        subjects: { name in .named(name.lookup) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, name: HostName) in
        try vault.restoreHostKeys(for: name)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Like `checkHostKey`; a vault in this process runs it on the caller's thread.
    public func checkHostKeyAtOnce(
        _ key: PublicKey,
        for name: HostName,
        noting: Bool = false
    ) async throws -> HostKeyCheck {
        if let local = self as? LocalService {
            return try local.vault.checkHostKeyAtOnce(key, for: name, noting: noting)
        }
        return try await self(Operations.checkHostKey, key, name, noting)
    }

    /// Trusts a key for a host.
    public func trustHostKey(
        _ key: PublicKey,
        for name: HostName,
        source: HostKeySource,
        additional: Bool = false
    ) async throws -> HostKeyTrust {
        let trusted = try await self(Operations.trustHostKeys, [key], name, source, additional)
        guard let first = trusted.first else { throw VaultError.malformedCall }
        return first
    }
}
