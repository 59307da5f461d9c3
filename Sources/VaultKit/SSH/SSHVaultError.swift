public import SSHFormats

/// What the vault refuses about SSH.
public enum SSHVaultError: Error, Equatable, Sendable {
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
    /// What was read back is not what was written.
    case readBackDiffers
}

extension SSHVaultError {
    /// The exit code (Schemas/errors.json).
    public var exitCode: Int32 {
        switch self {
        case .format(let error): error.exitCode
        case .unknownKey, .keyInTrash: 3
        case .keyNameTaken, .keyInVault: 4
        case .keyNotInUse: 6
        case .readBackDiffers: 12
        case .badKeyName: 13
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
        case .readBackDiffers: "copyDiffers"
        }
    }
}
