public import VaultCrypto

/// A key slot as it is listed.
public struct SlotInfo: Equatable, Sendable {
    /// The slot's number in this vault.
    public let number: UInt32
    /// The kind of secret that opens the slot, possibly unknown to this program.
    public let kind: SlotKind
    /// Text for people.
    public let label: String
    /// Creation time, Unix milliseconds.
    public let created: UInt64
    /// The cost of a guess at a passphrase; nil for other kinds.
    public let parameters: PasswordHash.Parameters?
    /// The security key or TPM of the slot; nil for other kinds.
    public let device: SlotDevice?

    init(
        number: UInt32,
        kind: SlotKind,
        label: String,
        created: UInt64,
        parameters: PasswordHash.Parameters?,
        device: SlotDevice? = nil
    ) {
        self.number = number
        self.kind = kind
        self.label = label
        self.created = created
        self.parameters = parameters
        self.device = device
    }
}

/// A key slot as the file shows it before the vault is unlocked; its label is encrypted.
///
/// The facts are not authenticated yet.
public struct SlotOverview: Equatable, Sendable {
    /// The slot's number in this vault.
    public let number: UInt32
    /// The kind of secret that opens the slot, possibly unknown to this program.
    public let kind: SlotKind
    /// The security key or TPM of the slot; nil for other kinds, and for a slot that cannot be read.
    public let device: SlotDevice?
    /// 16 bytes for the secret of such a slot; empty for other kinds.
    package let salt: [UInt8]

    /// The public facts of a stored slot.
    package init(_ row: SlotRow) {
        number = row.number
        kind = row.kind
        if case .device(let carried, let found)? = try? SlotParams(row) {
            (device, salt) = (found, carried.salt)
        } else {
            (device, salt) = (nil, [])
        }
    }
}

/// The hardware of a slot.
public enum SlotDevice: Equatable, Sendable {
    /// Kind 17.
    case securityKey(FIDO2Params)
    /// Kind 16.
    case tpm(TPM2Params)

    /// Reads the parameters of a kind; nil for bytes that no writer produces, and for other kinds.
    package init?(_ params: CarriedParams, _ kind: SlotKind) {
        switch kind {
        case .securityKey:
            guard let params = FIDO2Params(params) else { return nil }
            self = .securityKey(params)
        case .tpm:
            guard let params = TPM2Params(params) else { return nil }
            self = .tpm(params)
        default: return nil
        }
    }

    /// The parameters as they are stored; the carry is sealed later.
    package func carried(salt: [UInt8]) -> CarriedParams {
        switch self {
        case .securityKey(let params):
            CarriedParams(flags: params.flags, salt: salt, carry: [], rest: params.rest)
        case .tpm(let params): CarriedParams(flags: params.flags, salt: salt, carry: [], rest: params.rest)
        }
    }
}

/// The kind of secret that opens a key slot, by its number in the format.
///
/// Slots of unknown kinds are kept, listed and authenticated like the others, but never tried.
public struct SlotKind: RawRepresentable, Hashable, Sendable {
    /// The number as it is stored.
    public let rawValue: UInt32

    /// A kind by its number, known or not.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A passphrase, through Argon2id.
    public static let passphrase = SlotKind(rawValue: 1)
    /// A recovery code of an earlier program, 128 random bits on paper; it cannot open the vault after a key change.
    public static let plainRecovery = SlotKind(rawValue: 2)
    /// 32 random bytes in a file.
    public static let keyFile = SlotKind(rawValue: 3)
    /// 32 random bytes in an item of the desktop's Secret Service.
    public static let secretService = SlotKind(rawValue: 4)
    /// A TPM 2 of this machine.
    public static let tpm = SlotKind(rawValue: 16)
    /// A FIDO2 security key.
    public static let securityKey = SlotKind(rawValue: 17)
    /// A recovery code, 128 random bits on paper, which still opens the vault after a key change.
    public static let recovery = SlotKind(rawValue: 20)

    /// Whether a person can open such a slot on another machine, with a passphrase, a recovery code or shares.
    ///
    /// The last such slot cannot be removed. A key file does not count, because it may be only on this machine.
    public var isPortable: Bool { self == .passphrase || isRecovery }

    /// Whether a recovery code of either kind opens the slot.
    public var isRecovery: Bool { self == .recovery || self == .plainRecovery }

    /// Whether a new vault key can be wrapped to such slots without the secret.
    var isCarried: Bool { [.tpm, .securityKey, .recovery].contains(self) }
}
