internal import Presentation
internal import RecordStore
internal import VaultCrypto
internal import VaultLifecycle

extension JSONValue {
    /// Which vault (Schemas/cli/common.schema.json, `vaultRef`); in the keyring it has a name and no path.
    static func vault(_ place: VaultPlace, id: [UInt8], _ backend: Backend) -> JSONValue {
        [
            "id": .text(Hex.encode(id)), "name": .optional(place.name),
            "path": backend == .file ? .text(place.file) : .null, "backend": .text(backend.word),
        ]
    }

    /// The same of an open one.
    static func vault(_ place: VaultPlace, _ store: OpenedStore) -> JSONValue {
        .vault(place, id: store.vaultID, store.backend)
    }

    /// A key slot (Schemas/cli/slot.schema.json).
    static func slot(_ slot: SlotInfo) -> JSONValue {
        let kdf: JSONValue? = slot.parameters.map {
            [
                "algorithm": "argon2id", "operations": .integer(Int64($0.operations)),
                "kibibytes": .integer(Int64($0.kibibytes)),
            ]
        }
        return [
            "number": .integer(Int64(slot.number)), "kind": .text(slot.kind.word),
            "label": .text(slot.label), "createdAt": .time(Int64(clamping: slot.created / 1_000)),
            "kdf": kdf ?? .null, "portable": .bool(slot.kind.isPortable),
            "pin": slot.device.map { .bool($0.asksPIN) } ?? .null,
            "pcrs": slot.device?.tpm.map { .list($0.numbers.map { .integer($0) }) } ?? .null,
        ]
    }
}

extension SlotDevice {
    /// What a TPM keeps; nil for a security key.
    var tpm: TPM2Params? {
        if case .tpm(let params) = self { params } else { nil }
    }

    /// Whether a PIN, or a finger on a key, is asked for.
    var asksPIN: Bool {
        switch self {
        case .tpm(let params): params.hasPIN
        case .securityKey(let params): params.isVerified
        }
    }

    /// The conditions for opening it, for the table of slots.
    var words: String {
        guard let tpm else { return asksPIN ? "PIN and touch" : "touch" }
        let registers = tpm.numbers.map { "\($0)" }.joined(separator: ", ")
        return (tpm.hasPIN ? "PIN" : "no PIN") + (registers.isEmpty ? "" : "; PCR \(registers)")
    }
}

extension TPM2Params {
    /// The boot registers that must not change.
    fileprivate var numbers: [Int] { (0..<24).filter { registers >> $0 & 1 == 1 } }
}

extension SlotKind {
    /// The kind as the JSON output and the tables name it.
    var word: String {
        switch rawValue {
        case 1: "passphrase"
        case 2, 20: "recovery"
        case 3: "keyfile"
        case 4: "keyring"
        case 16: "tpm2"
        case 17: "fido2"
        case 18: "systemdCreds"
        case 19: "passphraseKeyfile"
        default: "unknown"
        }
    }
}
