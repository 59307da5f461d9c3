internal import FileStore
internal import Presentation
package import RecordStore
internal import System
package import VaultCrypto
package import VaultLifecycle

/// What the TPM of this machine keeps for the vault, with a PIN from a file or a person if the slot has one.
package struct TPMSecret: SecretSource {
    private let context: Context
    private let place: VaultPlace
    /// The slot that was named; nil for any.
    private let number: UInt32?

    package init(_ context: Context, _ place: VaultPlace, slot number: UInt32?) {
        (self.context, self.place, self.number) = (context, place, number)
    }

    package var isNamed: Bool { true }
    package var isAsked: Bool { true }
    package var option: String? { "--with" }

    /// A TPM gives no secret that could be typed.
    package func secret(attempt: Int) throws(OpeningError) -> SecretBytes { throw .store(.noSuchSlot) }

    package func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        let glance: FileGlance
        do throws(StoreError) { glance = try FileStore.glance(at: place.paths) } catch { throw .store(error) }
        let slots = TPMSlot.all(of: glance).filter { number == nil || $0.number == number }
        let tpm = TPMSlot(of: glance.vaultID, context.hardware)
        var pin: Secret?
        for (index, slot) in slots.enumerated() {
            if slot.needsPIN, pin == nil { pin = try givenPIN(slot) }
            do throws(OpeningError) {
                return try tpm.unlock(slot, pin: pin)
            } catch {
                // A vault that two machines use has a slot for each.
                guard error == .hardware(.tpm(.otherTPM)), index + 1 < slots.count else { throw error }
            }
        }
        throw .store(.noSuchSlot)
    }

    private func givenPIN(_ slot: SlotGlance) throws(OpeningError) -> Secret {
        if let file = context.globals.pinFile { return try TPMSlot.pin(NamedSecret(.file(file)).secret()) }
        guard context.terminal.isAvailable, !context.globals.leavesLocked else {
            throw .file(.inputNeeded(flag: "--pin-file FILE"))
        }
        let lockout = try? context.hardware.devices()
        let left = lockout.map { " (the TPM accepts \($0.triesLeft) wrong ones)" } ?? ""
        let typed: SecretBytes
        do throws(ConsoleError) {
            typed = try context.terminal.askHidden(
                "PIN of slot \(slot.number)\(left)",
                flag: "--pin-file FILE"
            )
        } catch {
            throw .file(error)
        }
        guard typed.count > 0 else { throw .file(.refused) }
        return try TPMSlot.pin(typed)
    }
}

/// A typed secret of one kind alone: `--with passphrase`, `--with recovery`.
struct KindSecret: SecretSource {
    /// Gives the secret; nil without a way to ask, which does not let another key slot open the vault.
    let source: (any SecretSource)?
    let kind: SlotKind

    var isNamed: Bool { source?.isNamed ?? true }
    var isAsked: Bool { source?.isAsked ?? false }
    var isAlone: Bool { true }
    var option: String? { source?.option ?? "--with" }

    func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
        guard let source else { throw .store(.locked) }
        return try source.secret(attempt: attempt)
    }

    func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        guard let source else { throw .store(.locked) }
        let unlock = try source.unlock(attempt: attempt)
        guard unlock.kind == kind else { throw .store(kind == .recovery ? .mistyped : .wrongSecret) }
        return unlock
    }

    func tell(slip: StoreError) { source?.tell(slip: slip) }
}
