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
    /// Nothing is known of the host, or its new key was to be compared, and no one could be asked.
    case trustRequired
    /// The key does not have the fingerprint that was expected.
    case fingerprintDiffers
    /// The vault knows no such key of this host.
    case unknownHostKey
    /// What was read back is not what was written.
    case readBackDiffers
}
