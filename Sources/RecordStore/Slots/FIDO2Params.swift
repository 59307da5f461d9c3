internal import VaultCrypto

/// The parameters of a slot of kind 17, for a security key, after the fields of all carried slots.
///
/// salt 32 ‖ model 16 ‖ s16(credential).
public struct FIDO2Params: Equatable, Sendable {
    /// Bytes of a credential.
    public static let credentialSizes = 16...1_023
    /// Bytes of the salt for the key.
    public static let saltSize = 32
    /// Bytes of the model (aaguid).
    public static let modelSize = 16

    /// The salt from which the key makes its secret.
    public let salt: [UInt8]
    /// The key's model, for people; may be zeros.
    public let model: [UInt8]
    /// The credential's identifier, which the key itself does not keep.
    public let credential: [UInt8]
    /// Whether each use asks for the PIN or a finger; without it the key makes another secret.
    public let isVerified: Bool

    /// Parameters by their parts; nil for a size that no slot has.
    public init?(salt: [UInt8], model: [UInt8], credential: [UInt8], isVerified: Bool) {
        guard salt.count == Self.saltSize, model.count == Self.modelSize,
            Self.credentialSizes.contains(credential.count)
        else { return nil }
        self.salt = salt
        self.model = model
        self.credential = credential
        self.isVerified = isVerified
    }

    /// Reads flags and rest of a slot; nil for what no writer produces.
    package init?(_ params: CarriedParams) {
        guard params.flags & ~1 == 0 else { return nil }
        var reader = SpanReader(0..<params.rest.count)
        let parts = params.rest.withBytes { bytes -> [[UInt8]]? in
            guard let salt = reader.take(Self.saltSize), let model = reader.take(Self.modelSize),
                let credential = reader.short(Self.credentialSizes.upperBound, of: bytes), reader.isAtEnd
            else { return nil }
            return [salt, model, credential].map { SpanReader.copy($0, of: bytes) }
        }
        guard let parts else { return nil }
        self.init(salt: parts[0], model: parts[1], credential: parts[2], isVerified: params.flags == 1)
    }

    /// Bit 0: verified.
    var flags: UInt8 { isVerified ? 1 : 0 }

    /// What follows the parts that all carried slots have.
    var rest: [UInt8] {
        var bytes = salt + model
        bytes.append(short: credential)
        return bytes
    }
}
