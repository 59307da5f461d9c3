internal import SSHFormats

extension Operations {
    /// Host profiles and known hosts.
    static var hosts: [any AnyOperation] {
        [
            sshHosts, sshHost, addSSHHosts, setSSHHost, removeSSHHost, restoreSSHHost, defaultSSHHost,
            setDefaultSSHHost, knownHosts, checkHostKey, hostKeys, trustHostKeys, replaceHostKey,
            revokeHostKey, removeHostKeys, removeHostKey, restoreHostKeys, importKnownHosts, tryKnownHosts,
            exportKnownHosts,
        ]
    }

    static let sshHosts = Operation("ssh-hosts", .look) {
        (vault: isolated Vault, inTrash: Bool) throws(VaultError) in try vault.sshHosts(inTrash: inTrash)
    }
    static let sshHost = Operation("ssh-host", .look) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.sshHost(name)
    }
    static let addSSHHosts = Operation("ssh-host.add", .change) {
        (vault: isolated Vault, hosts: [NewHost]) throws(VaultError) in try vault.addSSHHosts(hosts)
    }
    static let setSSHHost = Operation("ssh-host.set", .change) {
        (vault: isolated Vault, name: String, change: HostChange) throws(VaultError) in
        try vault.setSSHHost(name, change)
    }
    static let removeSSHHost = Operation("ssh-host.remove", .change) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.removeSSHHost(name)
    }
    static let restoreSSHHost = Operation("ssh-host.restore", .change) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.restoreSSHHost(name)
    }
    static let defaultSSHHost = Operation("ssh-host.default", .look) {
        (vault: isolated Vault) throws(VaultError) in try vault.defaultSSHHost()
    }
    static let setDefaultSSHHost = Operation("ssh-host.set-default", .change, decidesLater: false) {
        (vault: isolated Vault, name: String?) throws(VaultError) -> Nothing in
        try vault.setDefaultSSHHost(name)
        return Nothing()
    }
    static let knownHosts = Operation("host-keys.known", .look) {
        (vault: isolated Vault, names: [HostName]) throws(VaultError) in try vault.knownHosts(for: names)
    }
    static let checkHostKey = Operation("host-keys.check", .look) {
        (vault: isolated Vault, key: PublicKey, name: HostName, noting: Bool) throws(VaultError) in
        try vault.checkHostKey(key, for: name, noting: noting)
    }
    static let hostKeys = Operation("host-keys", .look) {
        (vault: isolated Vault, name: HostName?) throws(VaultError) in try vault.hostKeys(for: name)
    }
    static let trustHostKeys = Operation("host-keys.trust", .trust) {
        (
            vault: isolated Vault,
            keys: [PublicKey],
            name: HostName,
            source: HostKeySource,
            additional: Bool
        ) throws(VaultError) in
        try vault.trustHostKeys(keys, for: name, source: source, additional: additional)
    }
    static let replaceHostKey = Operation("host-keys.replace", .trust) {
        (
            vault: isolated Vault,
            name: HostName,
            key: PublicKey,
            expected: Fingerprint,
            old: Fingerprint?,
            source: HostKeySource
        ) throws(VaultError) in
        try vault.replaceHostKey(for: name, by: key, expecting: expected, replacing: old, source: source)
    }
    static let revokeHostKey = Operation("host-keys.revoke", .trust, decidesLater: false) {
        (vault: isolated Vault, key: PublicKey, name: HostName?) throws(VaultError) in
        try vault.revokeHostKey(key, for: name)
    }
    static let removeHostKeys = Operation("host-keys.remove", .change) {
        (vault: isolated Vault, name: HostName, fingerprint: Fingerprint?) throws(VaultError) in
        try vault.removeHostKeys(for: name, only: fingerprint)
    }
    static let removeHostKey = Operation("host-keys.remove-line", .change) {
        (vault: isolated Vault, id: HostKeySummary.ID) throws(VaultError) in try vault.removeHostKey(id: id)
    }
    static let restoreHostKeys = Operation("host-keys.restore", .trust) {
        (vault: isolated Vault, name: HostName) throws(VaultError) in try vault.restoreHostKeys(for: name)
    }
    static let importKnownHosts = Operation("host-keys.import", .trust) {
        (
            vault: isolated Vault,
            file: KnownHostsFile,
            conflicts: KnownHostsImport.Conflicts
        ) throws(VaultError) in
        try vault.importKnownHosts(file, conflicts: conflicts)
    }
    static let tryKnownHosts = Operation("host-keys.try-import", .look) {
        (
            vault: isolated Vault,
            file: KnownHostsFile,
            conflicts: KnownHostsImport.Conflicts
        ) throws(VaultError) in
        try vault.importKnownHosts(file, conflicts: conflicts, isTrial: true)
    }
    static let exportKnownHosts = Operation("host-keys.export", .look) {
        (vault: isolated Vault) throws(VaultError) in try vault.exportKnownHosts()
    }
}
