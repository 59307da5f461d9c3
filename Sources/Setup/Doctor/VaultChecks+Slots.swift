internal import FileStore
internal import Presentation
internal import RecordStore
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

extension VaultChecks {
    func slots(_ store: FileStore) throws -> [Finding] {
        let slots = try store.slots()
        var found: [Finding] = []
        // What takes several people is no way in for its owner alone.
        let ways = slots.filter { Sharing($0) == nil }
        if Swift.Set(ways.map { $0.kind.isRecovery ? .recovery : $0.kind }).count < 2 {
            found.append(
                Finding(
                    check: .slots,
                    state: .warning,
                    message: "only one key slot opens the vault",
                    reason: "if you lose its secret, you cannot open the vault",
                    hint: "hsip vault slot add recovery"
                )
            )
        }
        let record = try config.record(of: place.key)
        if let advised = record?.rekeyAdvisedAt {
            found.append(
                Finding(
                    check: .slots,
                    state: .warning,
                    message: "a key slot was removed or replaced on \(Times.date(advised))",
                    reason: "its secret opens old copies, and a person who used it may have the vault key",
                    hint: "hsip vault rekey"
                )
            )
        }
        if PassphraseUse.isForgotten(slots, typedAt: record?.passphraseTypedAt, now: now) {
            found.append(Self.passphraseUnused)
        }
        if slots.contains(where: { Sharing.isPaper($0) }), record?.recoveryTestedAt == nil {
            found.append(record?.kitMadeAt == nil ? Self.codeNotTested : Self.kitNotTested)
        }
        if found.isEmpty { found.append(.fine(.slots, "\(Plural.of(slots.count, "way")) to open the vault")) }
        return found + slots.compactMap { keyDerivation($0) } + tpm(slots) + keys(slots, record)
    }

    /// Whether the TPM answers, where a slot needs it.
    private func tpm(_ slots: [SlotInfo]) -> [Finding] {
        guard slots.contains(where: { $0.kind == .tpm }) else { return [] }
        do throws(HardwareError) {
            let lockout = try HardwareClient().devices()
            guard lockout.triesLeft == 0 else { return [.fine(.slots, "the TPM answers")] }
            throw .tpm(.lockout(seconds: lockout.seconds))
        } catch {
            return [Self.deviceClosed(error, "until the TPM answers")]
        }
    }

    /// Whether security keys can be used, if a slot needs one; a key may be in a drawer.
    private func keys(_ slots: [SlotInfo], _ record: VaultRecord?) -> [Finding] {
        let count = slots.count { $0.kind == .securityKey }
        guard count > 0 else { return [] }
        var found: [Finding] = []
        do throws(HardwareError) { _ = try HardwareClient().keys() } catch {
            if ![.key(.noKey), .key(.busy)].contains(error) {
                found.append(Self.deviceClosed(error, "until the key can be used"))
            }
        }
        if count == 1, record?.recoveryTestedAt == nil {
            found.append(
                Finding(
                    check: .slots,
                    state: .notice,
                    message: "one security key opens the vault, and the recovery code was never tested",
                    reason: "a lost key is a lost way in",
                    hint: "hsip vault slot add fido2"
                )
            )
        }
        return found.isEmpty
            ? [.fine(.slots, "\(Plural.of(count, "security key")) can open the vault")] : found
    }

    private static func deviceClosed(_ error: HardwareError, _ until: String) -> Finding {
        let text = error.explanation
        return Finding(
            check: .slots,
            state: .warning,
            message: text.message,
            reason: "\(until), the other key slots open the vault",
            hint: text.hint
        )
    }

    private static var codeNotTested: Finding {
        Finding(
            check: .slots,
            state: .notice,
            message: "the full recovery code was never tested",
            reason: "without a test you notice too late that the code was written down wrongly",
            hint: "hsip vault slot test recovery"
        )
    }

    private static var passphraseUnused: Finding {
        var finding = Finding(
            check: .slots,
            state: .warning,
            message: "the passphrase was not used for 90 days",
            reason: "this machine opens the vault without it; on another machine you need the passphrase",
            hint: "hsip vault slot test passphrase"
        )
        finding.code = "passphraseUnused"
        return finding
    }

    private static var kitNotTested: Finding {
        var finding = Finding(
            check: .slots,
            state: .notice,
            message: "the emergency kit was never tested",
            reason: "without a test you notice too late that the page cannot be read",
            hint: "hsip vault slot test recovery"
        )
        finding.code = "kitNotTested"
        return finding
    }

    /// A guess should cost what it costs in a new vault on this machine.
    private func keyDerivation(_ slot: SlotInfo) -> Finding? {
        guard let present = slot.parameters else { return nil }
        let wanted = PasswordHash.Parameters.ofThisMachine
        guard present.kibibytes < wanted.kibibytes || present.operations < wanted.operations else {
            return .fine(.keyDerivation, "guessing the passphrase of slot \(slot.number) is slow enough")
        }
        return Finding(
            check: .keyDerivation,
            state: .warning,
            message: "guessing the passphrase of slot \(slot.number) is faster than in a new vault",
            reason: "a person who steals the file can try more passphrases",
            hint: "hsip vault slot set \(slot.number)"
        )
    }
}
