internal import SSHFormats
package import VaultKit

extension SSHVaultError: Worded {
    package var words: Failure.Words {
        switch self {
        case .format(let error): error.words
        case .unknownKey: (.unknownSSHKey, "the vault has no SSH key of that name", "hsip ssh key list")
        case .keyNameTaken: (.sshKeyNameTaken, "another key has this name", "hsip ssh key list")
        case .badKeyName:
            (
                .badSSHKeyName,
                "the name of a key must have up to 100 bytes of letters, digits and . _ - @ +, and must not "
                    + "begin with . or -",
                "a name such as work or id_ed25519"
            )
        case .keyInVault: (.sshKeyKnown, "this key is in the vault already", "hsip ssh key list")
        case .keyInTrash: (.sshKeyInTrash, "this key is in the trash", "hsip ssh key restore NAME")
        case .keyNotInUse:
            (.sshKeyNotInUse, "this key is not in use: it is retired or kept apart", "hsip ssh key show NAME")
        case .keyInHardware:
            (
                .sshKeyInHardware, "this key is in a security key, and hsip cannot make another one there",
                "ssh-keygen -t ed25519-sk -f FILE, then hsip ssh key import FILE"
            )
        case .unknownHost: (.unknownSSHHost, "the vault has no host of that name", "hsip ssh host list")
        case .hostNameTaken: (.sshHostNameTaken, "another host has this name", "hsip ssh host list")
        case .hostInTrash: (.sshHostInTrash, "this host is in the trash", "hsip ssh host restore NAME")
        case .hostInVault:
            (.sshHostKnown, "a host with this identifier is in the vault already", "hsip ssh host list")
        case .hostKeyChanged: SSHFormatError.changedHostKey.words
        case .hostKeyRevoked: SSHFormatError.revokedHostKey.words
        case .trustRequired:
            (
                .trustRequired, "the vault has no key of this host, and hsip cannot ask about it here",
                "hsip ssh host trust HOST --expect SHA256:…"
            )
        case .fingerprintDiffers:
            (
                .fingerprintDiffers, "the key does not have the expected fingerprint; nothing changed",
                "hsip ssh host show HOST"
            )
        case .unknownHostKey: SSHFormatError.unknownHostKey.words
        case .readBackDiffers:
            (.copyDiffers, "the vault returned other data than hsip wrote", "hsip vault check")
        }
    }
}
