internal import VaultCrypto

/// The parameters of a slot of kind 16, for a TPM that keeps 32 bytes.
///
/// After the fields of all carried slots: u16 parent ‖ name 34 ‖ u32 registers ‖ s16(TPM2B_PUBLIC) ‖ s16(TPM2B_PRIVATE).
public struct TPM2Params: Equatable, Sendable {
    /// Most bytes of each blob.
    public static let largestBlob = 512
    /// Bytes of the storage key's name.
    public static let nameSize = 34

    /// Where the storage key comes from.
    public enum Parent: UInt16, Sendable {
        /// Made again each time.
        case made = 1
        /// Kept in the TPM.
        case persistent = 2
    }

    /// Where the storage key comes from.
    public let parent: Parent
    /// The storage key's name.
    public let parentName: [UInt8]
    /// The registers of the SHA-256 bank that must still have their former values, one bit each; 0 for none.
    public let registers: UInt32
    /// TPM2B_PUBLIC.
    public let publicArea: [UInt8]
    /// TPM2B_PRIVATE.
    public let privateArea: [UInt8]
    /// Whether the TPM needs a PIN.
    public let hasPIN: Bool

    /// Parameters by their parts; nil for a part of a wrong size, or registers above bit 23.
    public init?(
        parent: Parent,
        parentName: [UInt8],
        registers: UInt32,
        publicArea: [UInt8],
        privateArea: [UInt8],
        hasPIN: Bool
    ) {
        guard parentName.count == Self.nameSize, registers >> 24 == 0,
            (1...Self.largestBlob).contains(publicArea.count),
            (1...Self.largestBlob).contains(privateArea.count)
        else { return nil }
        self.parent = parent
        self.parentName = parentName
        self.registers = registers
        self.publicArea = publicArea
        self.privateArea = privateArea
        self.hasPIN = hasPIN
    }

    /// Reads flags and rest of a slot; nil for bytes that no writer produces.
    package init?(_ params: CarriedParams) {
        guard params.flags & ~3 == 0 else { return nil }
        var reader = SpanReader(0..<params.rest.count)
        let parts = params.rest.withBytes { bytes -> (Parent, UInt32, [[UInt8]])? in
            guard let parent = reader.number(UInt16.self, of: bytes).flatMap(Parent.init),
                let name = reader.take(Self.nameSize),
                let registers = reader.number(UInt32.self, of: bytes),
                let publicArea = reader.short(Self.largestBlob, of: bytes),
                let privateArea = reader.short(Self.largestBlob, of: bytes), reader.isAtEnd
            else { return nil }
            return (
                parent, registers, [name, publicArea, privateArea].map { SpanReader.copy($0, of: bytes) }
            )
        }
        guard let (parent, registers, bytes) = parts else { return nil }
        self.init(
            parent: parent,
            parentName: bytes[0],
            registers: registers,
            publicArea: bytes[1],
            privateArea: bytes[2],
            hasPIN: params.flags & 1 != 0
        )
        guard flags == params.flags else { return nil }
    }

    /// Bit 0: PIN; bit 1: registers.
    var flags: UInt8 { (hasPIN ? 1 : 0) | (registers != 0 ? 2 : 0) }

    /// The bytes after the common fields of all carried slots.
    var rest: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: parent.rawValue)
        bytes += parentName
        bytes.append(bigEndian: registers)
        bytes.append(short: publicArea)
        bytes.append(short: privateArea)
        return bytes
    }
}

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
    /// The credential's identifier, which the key itself does not store.
    public let credential: [UInt8]
    /// Whether each use needs the PIN or a finger; without verification the key returns another secret.
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

    /// Reads flags and rest of a slot; nil for bytes that no writer produces.
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

    /// The bytes after the common fields of all carried slots.
    var rest: [UInt8] {
        var bytes = salt + model
        bytes.append(short: credential)
        return bytes
    }
}
