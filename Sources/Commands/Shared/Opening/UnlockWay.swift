internal import FileStore
internal import Presentation
package import RecordStore
internal import VaultLifecycle

/// The way to open the vault that `--with` names; if it fails, no other way is tried.
package enum UnlockWay: Equatable, Sendable {
    case passphrase, recovery
    /// A TPM or a security key, by the slot of this number, or by any.
    case device(SlotKind, UInt32?)
    /// A key slot by its number; its kind is read from the vault.
    case slot(UInt32)

    /// Reads the value of `--with`.
    init(_ word: String) throws(Failure) {
        switch word {
        case "passphrase": self = .passphrase
        case "recovery": self = .recovery
        case "tpm2": self = .device(.tpm, nil)
        case "fido2": self = .device(.securityKey, nil)
        default:
            guard let number = UInt32(word) else {
                throw Failure.usage(
                    "--with needs passphrase, recovery, tpm2, fido2 or the number of a key slot",
                    hint: "hsip vault slot list"
                )
            }
            self = .slot(number)
        }
    }

    /// The way to open a slot.
    init(_ slot: SlotOverview) throws(Failure) {
        switch slot.kind {
        case .passphrase: self = .passphrase
        case .recovery, .plainRecovery: self = .recovery
        case .tpm, .securityKey: self = .device(slot.kind, slot.number)
        default: throw Failure(.unavailable, "hsip cannot open slots of this kind here")
        }
    }
}

extension Context {
    /// The way that `--with` names, with a slot number replaced by the slot's kind; nil without `--with`.
    package func unlockWay() throws -> UnlockWay? {
        guard case .slot(let number)? = globals.way else {
            guard globals.way == nil, globals.pinFile != nil else { return globals.way }
            let isTPM = try findFile(try place()).slots.contains { $0.kind == .tpm }
            return .device(isTPM ? .tpm : .securityKey, nil)
        }
        guard let slot = try findFile(try place()).slots.first(where: { $0.number == number }) else {
            throw StoreError.noSuchSlot
        }
        let way = try UnlockWay(slot)
        globals.way = way
        return way
    }

    /// The source of the secret that opens the vault; nil without a user to ask.
    package func unlockSource() throws -> UnlockSource? {
        let way = try unlockWay()
        switch way {
        case .device(let kind, let number)?:
            let excluded = globals.passphraseFile != nil || globals.passphraseDescriptor != nil
            guard !excluded, !globals.asksShares else {
                throw Failure.usage("a PIN or a device excludes a passphrase and shares")
            }
            return .device(kind, number)
        case .passphrase?, .recovery?, .slot?, nil:
            guard globals.pinFile == nil else {
                throw Failure.usage("--pin-file is for a TPM or a security key", hint: "--with tpm2")
            }
            return try UnlockSource.find(globals, environment, terminal)
        }
    }
}
