internal import VaultCrypto

/// The public parameters of a slot, and how they turn a secret into the 32 bytes S.
enum SlotParams: Equatable, Sendable {
    case passphrase(PasswordHash.Parameters, salt: [UInt8])
    /// The parameters of an earlier program, of which only the salt is stored.
    case plainRecovery(salt: [UInt8])
    case recovery(CarriedParams)
    case secretService(salt: [UInt8])
    case keyFile(salt: [UInt8])
    case device(CarriedParams, SlotDevice)

    static let saltSize = PasswordHash.saltSize
    private static let argon2id: UInt8 = 1

    /// The parameters of a new slot; its carry is sealed later, because it depends on the derived secret.
    ///
    /// - Throws: `invalidRecord(.slot)` for a hardware slot without its device or salt.
    init(_ new: NewSlot, salt: [UInt8]) throws(StoreError) {
        if let device = new.device {
            guard salt.count == Self.saltSize else { throw .invalidRecord(.slot) }
            self = .device(device.carried(salt: salt), device)
            return
        }
        switch new.unlock {
        case .passphrase: self = .passphrase(new.parameters, salt: salt)
        case .recovery where new.kind == .plainRecovery: self = .plainRecovery(salt: salt)
        case .recovery: self = .recovery(CarriedParams(salt: salt, carry: []))
        case .secretService: self = .secretService(salt: salt)
        case .keyFile: self = .keyFile(salt: salt)
        case .securityKey, .tpm: throw .invalidRecord(.slot)
        }
    }

    /// The stored bytes: 01 ‖ u32 passes ‖ u32 KiB ‖ salt, the bytes of a carried slot, or the salt alone.
    var encoded: [UInt8] {
        switch self {
        case .passphrase(let parameters, let salt):
            var bytes = [Self.argon2id]
            bytes.append(bigEndian: parameters.operations)
            bytes.append(bigEndian: parameters.kibibytes)
            return bytes + salt
        case .plainRecovery(let salt), .secretService(let salt), .keyFile(let salt): return salt
        case .recovery(let params), .device(let params, _): return params.encoded
        }
    }

    /// Reads stored parameters; nil for a kind, or a version of a carried slot, that this program cannot open.
    ///
    /// - Throws: `StoreError.kdfOutOfBounds`, before any work, if a guess would cost too little or too much;
    ///   `tampered(.slots)` for bytes that no writer produces.
    init?(_ row: SlotRow) throws(StoreError) {
        switch row.kind {
        case .passphrase:
            var reader = SpanReader(0..<row.params.count)
            let fields = row.params.withBytes { bytes -> (UInt32, UInt32, [UInt8])? in
                guard reader.number(UInt8.self, of: bytes) == Self.argon2id,
                    let operations = reader.number(UInt32.self, of: bytes),
                    let kibibytes = reader.number(UInt32.self, of: bytes),
                    let salt = reader.take(Self.saltSize), reader.isAtEnd
                else { return nil }
                return (operations, kibibytes, SpanReader.copy(salt, of: bytes))
            }
            guard let (operations, kibibytes, salt) = fields else { throw .tampered(.slots) }
            do {
                self = .passphrase(
                    try .init(operations: operations, kibibytes: kibibytes),
                    salt: salt
                )
            } catch {
                throw StoreError(error)
            }
        case .plainRecovery:
            guard row.params.count == Self.saltSize else { throw .tampered(.slots) }
            self = .plainRecovery(salt: row.params)
        case .recovery:
            // A newer program writes another version; such a slot is skipped like an unknown kind.
            guard row.params.first ?? CarriedParams.version == CarriedParams.version else { return nil }
            guard let params = CarriedParams(row.params), params.flags == 0, params.rest.isEmpty else {
                throw .tampered(.slots)
            }
            self = .recovery(params)
        case .secretService:
            guard row.params.count == Self.saltSize else { throw .tampered(.slots) }
            self = .secretService(salt: row.params)
        case .keyFile:
            guard row.params.count == Self.saltSize else { throw .tampered(.slots) }
            self = .keyFile(salt: row.params)
        case .securityKey, .tpm:
            guard row.params.first ?? CarriedParams.version == CarriedParams.version else { return nil }
            guard let params = CarriedParams(row.params), let device = SlotDevice(params, row.kind) else {
                throw .tampered(.slots)
            }
            self = .device(params, device)
        default:
            return nil
        }
    }

    /// The parameters of a carried slot; nil for others.
    var carried: CarriedParams? {
        switch self {
        case .recovery(let params), .device(let params, _): params
        default: nil
        }
    }

    /// Derives S from a secret, which is slow for a passphrase; a device's secret is S already.
    func stretch(_ secret: Secret, vaultID: [UInt8]) throws(StoreError) -> SecretBytes {
        do {
            switch self {
            case .passphrase(let parameters, let salt):
                return try PasswordHash.derive(secret, salt: salt, parameters: parameters, count: 32)
            case .plainRecovery(let salt): return try hash(secret, .recovery, vaultID + salt)
            case .recovery(let params): return try hash(secret, .recovery, vaultID + params.salt)
            case .secretService(let salt): return try hash(secret, .secretService, vaultID + salt)
            case .keyFile(let salt): return try hash(secret, .keyFile, vaultID + salt)
            case .device: return try SecretBytes(copying: secret)
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// H(secret, L(kind) ‖ vault id ‖ salt, 32): random bytes need no stretching.
    private func hash(_ secret: Secret, _ label: VaultLabel, _ rest: [UInt8]) throws(CryptoError)
        -> SecretBytes
    {
        try KeyedHash.secretBlake2b(label.bytes + rest, key: secret, count: 32)
    }
}
