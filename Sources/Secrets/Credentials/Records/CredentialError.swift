/// Why a credential is refused, or why one of its parts cannot be given.
public indirect enum CredentialError: Error, Equatable, Sendable, Codable {
    /// Bytes that are not the content of a credential.
    case malformed
    /// The bytes are not the content of a parcel.
    case malformedGift
    /// Content of a later version of this program.
    case unsupportedVersion(UInt8)
    /// A name that breaks the rules of `CredentialName`.
    case badName
    /// The name of a field breaks the rules of `CredentialField`.
    case badField
    /// A tag is empty, too long, or has a comma or a control character in it.
    case badTag
    /// A note of where something came from is too long, or has a control character in it.
    case badOrigin
    /// A time beyond the year 9999.
    case badTime
    /// A value has more bytes than one may have.
    case valueTooLong(limit: Int)
    /// The values of one version have more bytes together than they may have.
    case versionTooLong(limit: Int)
    /// More fields than a version may have.
    case tooManyFields(limit: Int)
    /// More tags than a credential may have.
    case tooManyTags(limit: Int)
    /// More than one call may carry.
    case tooMuch(limit: Int)
    /// A new credential, or a new version, without any field.
    case noFields
    /// No credential has this name.
    case unknownName
    /// The credential is in the trash; it has to come out first.
    case inTrash
    /// Another credential has this name.
    case nameTaken
    /// The credential has no field of this name.
    case unknownField
    /// The credential has no version of this number, or not any more.
    case unknownSecretVersion
    /// The credential is of another kind, and kinds do not change.
    case kindDiffers
    /// The credential differs from the caller's version: it was changed meanwhile.
    case changedMeanwhile
    /// The name meant another credential on this machine before a sync, and nobody has settled it.
    case nameMeansOther
    /// One of several references cannot be resolved: its index, and why.
    case unresolved(index: Int, CredentialError)
    /// Locked memory was not to be had.
    case outOfMemory
}
