/// The reason why a credential or one of its parts is refused, or cannot be read.
public indirect enum CredentialError: Error, Equatable, Sendable, Codable {
    /// The bytes are not the content of a credential.
    case malformed
    /// The bytes are not the content of a parcel.
    case malformedGift
    /// A later version of this program wrote the content.
    case unsupportedVersion(UInt8)
    /// The name breaks the rules of `CredentialName`.
    case badName
    /// The name of a field breaks the rules of `CredentialField`.
    case badField
    /// A tag is empty, too long, or contains a comma or a control character.
    case badTag
    /// A note about an origin is too long, or contains a control character.
    case badOrigin
    /// A time is after the year 9999.
    case badTime
    /// A value exceeds the limit of bytes.
    case valueTooLong(limit: Int)
    /// The values of one version together exceed the limit of bytes.
    case versionTooLong(limit: Int)
    /// The version exceeds the limit of fields.
    case tooManyFields(limit: Int)
    /// The credential exceeds the limit of tags.
    case tooManyTags(limit: Int)
    /// The call exceeds the limit of elements.
    case tooMuch(limit: Int)
    /// A new credential, or a new version, has no field.
    case noFields
    /// No credential has this name.
    case unknownName
    /// The credential is in the trash, and must be restored first.
    case inTrash
    /// Another credential has this name.
    case nameTaken
    /// The credential has no field of this name.
    case unknownField
    /// The credential has no version of this number, or no longer has it.
    case unknownSecretVersion
    /// The credential is of another kind, and a kind never changes.
    case kindDiffers
    /// The credential differs from the caller's version, because it was changed meanwhile.
    case changedMeanwhile
    /// The name meant another credential on this machine before a sync, and nobody has settled the conflict.
    case nameMeansOther
    /// A reference among several cannot be resolved: its index, and the reason.
    case unresolved(index: Int, CredentialError)
    /// No locked memory was available.
    case outOfMemory
}
