public import HSIP
public import Secrets

/// A secret shared with a contact, or by a contact, without any value.
public struct GiftSummary: Sendable, Hashable, Codable {
    /// The id of the gift, 16 bytes.
    public let id: [UInt8]
    /// Whether this vault shared the secret; otherwise the contact did.
    public let isMine: Bool
    /// The contact's alias; nil if the contact was removed.
    public let contact: String?
    /// The contact's id.
    public let peerID: PeerID
    /// The secret's name in this vault.
    public let secret: String
    /// The latest version of the secret that was shared.
    public let version: UInt32
    /// Time of the latest sharing, Unix seconds.
    public let at: UInt64
    /// Time of the withdrawal, Unix seconds; nil if the gift still holds.
    public let withdrawnAt: UInt64?
    /// The current version in this vault; nil if the secret is removed or in the trash.
    public let current: UInt32?

    /// Whether the contact has an older version than this vault.
    public var isOutdated: Bool { isMine && withdrawnAt == nil && current.map { $0 > version } ?? false }
}

/// A secret to share with a contact.
public struct GiftRequest: Sendable, Codable {
    /// The name of the secret.
    public var name: String
    /// The alias of the contact.
    public var contact: String
    /// The fields to share; empty for all except the key of one-time passwords.
    public var fields: [String] = []
    /// Whether to share that key too, if `fields` is empty.
    public var includesTOTP = false
    /// Expiry for the contact, Unix seconds; nil for the secret's own expiry.
    public var expires: UInt64?
    /// One line for the contact.
    public var note: String?
    /// Whether to share with a contact that is not verified.
    public var allowsUnverified = false

    /// Shares all fields of a secret except its key of one-time passwords.
    public init(_ name: String, to contact: String) {
        self.name = name
        self.contact = contact
    }
}

/// A parcel that may be sent: the commit that it needed is durable.
public struct SentGift: Sendable, Codable {
    /// The parcel (Schemas/parcel.md).
    public let parcel: [UInt8]
    /// The alias of the contact.
    public let contact: String
    /// The name of the secret.
    public let secret: String
    /// The version of the secret.
    public let version: UInt32
    /// The names of the shared fields; empty for a withdrawal.
    public let fields: [String]
    /// Expiry, Unix seconds; nil for never.
    public let expires: UInt64?
    /// Messages sealed under the current key, the parcel included.
    public let sent: UInt16
    /// The most messages that the key may seal.
    public let limit: UInt16
    /// Expiry of the key, Unix seconds.
    public let endsAt: UInt64
    /// Warnings and notes.
    public let notices: [Notice]
}

/// How to accept a parcel.
public struct GiftAcceptance: Sendable, Codable {
    /// The bytes that the text or file may encode, at most three; the first that opens is used.
    public var readings: [[UInt8]]
    /// The name of the secret in this vault; nil for the sender's name.
    public var name: String?
    /// Whether the parcel replaces a copy that was changed in this vault.
    public var replacesChanged = false

    /// The most readings of one parcel.
    public static let maximumReadings = 3

    /// Accepts a parcel under the sender's name for the secret.
    public init(_ readings: [[UInt8]]) { self.readings = readings }

    /// The sender that the parcel names, unverified.
    var sender: PeerID? {
        readings.first.flatMap { try? SealedParcel(bytes: $0) }?.header.keyMessage.sender
    }
}

/// The result of accepting a parcel.
public struct ReceivedGift: Sendable, Codable {
    /// The change that a parcel made.
    public enum Act: String, Sendable, Codable {
        /// The secret is new in this vault.
        case added
        /// The shared secret got a new version.
        case versioned
        /// The vault had this version before; nothing changed.
        case known
        /// The vault had a newer version before; nothing changed.
        case older
        /// The sender withdrew the secret, and it is in the trash now.
        case putAway
        /// The sender withdrew a secret that the vault no longer had.
        case gone
    }

    /// The change that the parcel made.
    public let act: Act
    /// The secret's name in this vault.
    public let name: String
    /// The sender's name for the secret.
    public let givenName: String
    /// The kind of the secret; nil for a withdrawal.
    public let kind: CredentialKind?
    /// The names of the secret's fields.
    public let fields: [String]
    /// The sender's version.
    public let version: UInt32
    /// Expiry, Unix seconds; nil for never.
    public let expires: UInt64?
    /// The sender's note.
    public let note: String?
    /// Whether the secret is a share of a recovery secret.
    public let isShare: Bool
    /// The alias of the sender.
    public let contact: String
    /// The id of the sender.
    public let peerID: PeerID
    /// Whether the sender is verified.
    public let isVerified: Bool
    /// Warnings and notes.
    public let notices: [Notice]
}

/// The reason why a secret is not shared with a contact, or not accepted from one.
public enum GiftError: Error, Equatable, Sendable, Codable {
    /// No such secret was shared with this contact, or by this contact.
    case unknown
    /// The id of the gift belongs to another contact, or to a secret that this vault shared.
    case ofAnother
    /// The contact is not verified: a person in the middle could read the secret.
    case contactUnverified
    /// Another person answered the same offer as the contact; nothing is shared or accepted before verification.
    case contactSuspicious
}
