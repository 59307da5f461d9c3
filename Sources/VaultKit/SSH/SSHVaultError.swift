public import SSHFormats

/// What the vault refuses about SSH.
public enum SSHVaultError: Error, Equatable, Sendable, Codable {
    /// Bytes or a value that are not what they should be.
    case format(SSHFormatError)
    /// No key has this name.
    case unknownKey
    /// Another key has this name.
    case keyNameTaken
    /// A name that cannot be that of a `.pub` file.
    case badKeyName
    /// The key is in the vault already, perhaps in its trash.
    case keyInVault
    /// The key is in the trash; it has to come out first.
    case keyInTrash
    /// The key is not in use: retired, or kept aside.
    case keyNotInUse
    /// No host profile has this name.
    case unknownHost
    /// Another host profile has this name.
    case hostNameTaken
    /// The host profile is in the trash; it has to come out first.
    case hostInTrash
    /// A profile with this identifier is in the vault already.
    case hostInVault
    /// Another key is known under this name, of whatever type.
    case hostKeyChanged
    /// The key must never be taken for this host.
    case hostKeyRevoked
    /// Nothing is known of the host, or its new key was to be compared, and nobody could be asked.
    case trustRequired
    /// The key does not have the fingerprint that was expected.
    case fingerprintDiffers
    /// The vault knows no such key of this host.
    case unknownHostKey
    /// What was read back is not what was written.
    case readBackDiffers
}

extension SSHVaultError {
    /// The exit code (Schemas/errors.json).
    public var exitCode: Int32 {
        switch self {
        case .format(let error): error.exitCode
        case .unknownKey, .keyInTrash, .unknownHost, .hostInTrash, .unknownHostKey: 3
        case .keyNameTaken, .keyInVault, .hostNameTaken, .hostInVault: 4
        case .keyNotInUse, .hostKeyRevoked: 6
        case .trustRequired: 7
        case .readBackDiffers: 12
        case .badKeyName: 13
        case .hostKeyChanged, .fingerprintDiffers: 15
        }
    }

    /// The name, as the JSON output spells it.
    public var name: String {
        switch self {
        case .format(let error): error.name
        case .unknownKey: "unknownSSHKey"
        case .keyNameTaken: "sshKeyNameTaken"
        case .badKeyName: "badSSHKeyName"
        case .keyInVault: "sshKeyKnown"
        case .keyInTrash: "sshKeyInTrash"
        case .keyNotInUse: "sshKeyNotInUse"
        case .unknownHost: "unknownSSHHost"
        case .hostNameTaken: "sshHostNameTaken"
        case .hostInTrash: "sshHostInTrash"
        case .hostInVault: "sshHostKnown"
        case .hostKeyChanged: "hostKeyChanged"
        case .hostKeyRevoked: "hostKeyRevoked"
        case .trustRequired: "trustRequired"
        case .fingerprintDiffers: "fingerprintDiffers"
        case .unknownHostKey: "unknownHostKey"
        case .readBackDiffers: "copyDiffers"
        }
    }
}
