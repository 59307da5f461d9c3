/// Why a secret is not given to a contact, or not taken from one.
public enum GiftError: Error, Equatable, Sendable, Codable {
    /// This contact was given no such secret, or gave none such.
    case unknown
    /// The number of the gift is that of another contact, or of a secret that was given away here.
    case ofAnother
    /// Nothing was compared with the contact yet: a person in the middle could read along.
    case contactUnverified
    /// Another person answered the same offer as the contact; nothing is given or taken before they were compared.
    case contactSuspicious
}
