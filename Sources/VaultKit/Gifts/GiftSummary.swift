public import HSIP
public import Secrets

/// A secret that was given to a contact, or that a contact gave, without any value.
public struct GiftSummary: Sendable, Hashable, Codable {
    /// Its number, 16 bytes.
    public let id: [UInt8]
    /// Whether it was given from this vault; else the contact gave it.
    public let isMine: Bool
    /// The contact's name here; nil where there is none any more.
    public let contact: String?
    /// The contact.
    public let peerID: PeerID
    /// The secret's name in this vault.
    public let secret: String
    /// The version that the contact was given, or gave last.
    public let version: UInt32
    /// When, Unix seconds.
    public let at: UInt64
    /// When it was withdrawn, Unix seconds; nil while it is not.
    public let withdrawnAt: UInt64?
    /// The version that counts here; nil where the secret is gone or in the trash.
    public let current: UInt32?

    /// The contact has an older version than the one that counts here.
    public var isOutdated: Bool { isMine && withdrawnAt == nil && current.map { $0 > version } ?? false }
}

/// What is to be given to a contact.
public struct GiftRequest: Sendable, Codable {
    /// The secret.
    public var name: String
    /// The contact.
    public var contact: String
    /// The fields that go along; empty for all but the key of one-time passwords.
    public var fields: [String] = []
    /// Whether that key goes along, where no fields are named.
    public var includesTOTP = false
    /// When it expires, Unix seconds; nil for the end of the secret itself.
    public var expires: UInt64?
    /// One line for the contact.
    public var note: String?
    /// Whether a contact that was not compared gets it, too.
    public var allowsUnverified = false

    /// All of a secret but its key of one-time passwords.
    public init(_ name: String, to contact: String) {
        self.name = name
        self.contact = contact
    }
}

/// A parcel that may leave: what it took is durable.
public struct SentGift: Sendable, Codable {
    /// The parcel (Schemas/parcel.md).
    public let parcel: [UInt8]
    /// The contact it is for.
    public let contact: String
    /// The secret.
    public let secret: String
    /// Its version.
    public let version: UInt32
    /// The names of the fields that went along; empty for a withdrawal.
    public let fields: [String]
    /// When it expires, Unix seconds; nil for never.
    public let expires: UInt64?
    /// Messages sealed under this key, this one included.
    public let sent: UInt16
    /// The most it may seal.
    public let limit: UInt16
    /// When the key ends, Unix seconds.
    public let endsAt: UInt64
    /// Warnings and notes.
    public let notices: [Notice]
}

/// How a parcel is to be taken.
public struct GiftAcceptance: Sendable, Codable {
    /// What the text or file may stand for, at most three: the first that opens counts.
    public var readings: [[UInt8]]
    /// The name that the secret gets here; nil for the one that the giver has for it.
    public var name: String?
    /// Whether a copy that was changed here gives way to what the giver sent.
    public var replacesChanged = false

    /// Readings that one parcel may have.
    public static let maximumReadings = 3

    /// A parcel, under the giver's name for it.
    public init(_ readings: [[UInt8]]) { self.readings = readings }

    /// Who sealed it, as it says itself.
    var sender: PeerID? {
        readings.first.flatMap { try? SealedParcel(bytes: $0) }?.header.keyMessage.sender
    }
}

/// What became of a parcel.
public struct TakenGift: Sendable, Codable {
    /// What was done.
    public enum Act: String, Sendable, Codable {
        /// The secret is new here.
        case added
        /// The secret that was given before has a new version.
        case versioned
        /// This version was here before; nothing changed.
        case known
        /// A newer version was here before; nothing changed.
        case older
        /// The giver withdrew it, and it is in the trash.
        case putAway
        /// The giver withdrew it, and it was not here any more.
        case gone
    }

    /// What was done.
    public let act: Act
    /// The secret's name here.
    public let name: String
    /// What the giver calls it.
    public let givenName: String
    /// What it is; nil for a withdrawal.
    public let kind: CredentialKind?
    /// The names of its fields.
    public let fields: [String]
    /// The giver's version.
    public let version: UInt32
    /// When it expires, Unix seconds; nil for never.
    public let expires: UInt64?
    /// What the giver says about it.
    public let note: String?
    /// It is a share of a recovery secret.
    public let isShare: Bool
    /// Who gave it.
    public let contact: String
    /// The same.
    public let peerID: PeerID
    /// Whether they were compared.
    public let isVerified: Bool
    /// Warnings and notes.
    public let notices: [Notice]
}

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
