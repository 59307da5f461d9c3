internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Text
internal import VaultLifecycle

extension Finding {
    /// Items in the keyring whose key slot is gone.
    static func leftInKeyring(_ remove: @escaping () throws -> Void) -> Finding {
        Finding(
            check: .keyring,
            state: .warning,
            message: "the keyring keeps the secret of a key slot that was removed",
            reason: "the secret opens old copies of the vault file",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(question: "Remove the secret from the keyring?", act: remove)
        )
    }
}

/// The key slot of a vault file that lies in the keyring, and the second anchor beside it.
struct KeyringSlotChecks {
    let place: VaultPlace
    let store: FileStore
    let companion: KeyringCompanion
    let now: Int64

    func findings() throws -> [Finding] {
        if let error = companion.failure {
            return [notice("hsip could not test the key slot in the keyring: \(error.explanation.message)")]
        }
        if companion.slots.isEmpty, companion.locked > 0 {
            return [notice("the keyring is locked, so hsip could not test its key slot")]
        }
        return [try slot(), orphan(), anchor()].compactMap(\.self)
    }

    private func notice(_ message: String) -> Finding {
        Finding(
            check: .slots,
            state: .notice,
            message: message,
            reason: "until then the other key slots open the vault",
            hint: "hsip vault slot test passphrase"
        )
    }

    /// Whether what lies in the keyring opens a slot, and whether every slot there has something that opens it.
    private func slot() throws -> Finding {
        let wanted = try store.slots().filter { $0.kind == .secretService }.map(\.number)
        var opened: Set<UInt32> = []
        for slot in companion.slots {
            if let number = try? store.testSlot(slot.unlock) { opened.insert(number) }
        }
        guard let missing = wanted.first(where: { !opened.contains($0) }) else {
            return .fine(.slots, "the keyring opens the vault")
        }
        return Finding(
            check: .slots,
            state: .warning,
            message: "no secret in the keyring opens slot \(missing)",
            reason: "the secret was removed or changed, or this is another keyring",
            hint: "hsip vault slot set \(missing)"
        )
    }

    /// A secret of a slot that is gone; it may open old copies of the file.
    private func orphan() -> Finding? {
        let orphans = companion.slots.filter { (try? store.testSlot($0.unlock)) == nil }
        return orphans.isEmpty ? nil : .leftInKeyring { for slot in orphans { try companion.remove(slot) } }
    }

    private func anchor() -> Finding {
        let last = KeyringMemory(place, store.vaultID).read()
        guard let seen = companion.anchor else {
            return Finding(
                check: .anchor,
                state: .notice,
                message: "the keyring has no record of the vault's last state yet",
                reason: "hsip writes the record at the end of a command that changes something",
                hint: nil
            )
        }
        if let last, last.outcome != "ok" {
            return Finding(
                check: .anchor,
                state: .notice,
                message: "hsip could not write the vault's last state to the keyring (\(last.outcome))",
                reason: "the record beside the vault is current, the one in the keyring is old",
                hint: "hsip doctor"
            )
        }
        let when = last.map { ", written \(Times.relative($0.at, now: now))" } ?? ""
        return .fine(.anchor, "the keyring has a record of generation \(seen.position.generation)\(when)")
    }
}
