internal import FileStore
internal import Presentation
package import RecordStore
internal import System
package import VaultCrypto
package import VaultLifecycle

/// What the TPM of this machine keeps for the vault, with a PIN from a file or a person if the slot has one.
package struct TPMSecret: SecretSource {
    /// How often a person may type a PIN.
    private static let tries = 3

    private let context: Context
    private let place: VaultPlace
    /// The slot that was named; nil for any.
    private let number: UInt32?

    package init(_ context: Context, _ place: VaultPlace, slot number: UInt32? = nil) {
        (self.context, self.place, self.number) = (context, place, number)
    }

    package var isNamed: Bool { true }
    package var isAsked: Bool { true }
    package var option: String? { "--with" }

    /// A TPM gives no secret that could be typed.
    package func secret(attempt: Int) throws(OpeningError) -> SecretBytes { throw .store(.noSuchSlot) }

    package func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        let (tpm, slots) = try slots()
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

    /// The slot with its PIN, for the agent to open the vault; nil if it opens a slot without one by itself.
    package func chosen() throws(OpeningError) -> (slot: UInt32, pin: Secret)? {
        let (tpm, slots) = try slots()
        guard let first = slots.first else { throw .store(.noSuchSlot) }
        guard first.needsPIN else { return nil }
        let slot = slots.first { (try? tpm.triesLeft($0)) != nil } ?? first
        return (slot.number, try givenPIN(slot))
    }

    /// Asks for the PIN of a slot that this machine opens now; nil without one, and if the person wants to type the
    /// passphrase.
    func offered() throws(OpeningError) -> Unlock? {
        let glance: FileGlance
        do throws(StoreError) { glance = try FileStore.glance(at: place.paths) } catch { return nil }
        let tpm = TPMSlot(of: glance.vaultID, context.hardware)
        for attempt in 1...Self.tries {
            guard let offer = tpm.offer(of: glance) else { return nil }
            let typed = try typedPIN(offer.slot, offer.triesLeft, hasOtherWay: true)
            guard typed.count > 0 else { return nil }
            do throws(OpeningError) {
                return try tpm.unlock(offer.slot, pin: try TPMSlot.pin(typed))
            } catch {
                guard error.isWrongPIN, attempt < Self.tries else { throw error }
                context.output.say("hsip: \(error.explanation(context.output.display).message)")
            }
        }
        return nil
    }

    private func slots() throws(OpeningError) -> (tpm: TPMSlot, slots: [SlotGlance]) {
        let glance: FileGlance
        do throws(StoreError) { glance = try FileStore.glance(at: place.paths) } catch { throw .store(error) }
        let slots = TPMSlot.all(of: glance).filter { number == nil || $0.number == number }
        return (TPMSlot(of: glance.vaultID, context.hardware), slots)
    }

    private func givenPIN(_ slot: SlotGlance) throws(OpeningError) -> Secret {
        if let file = context.globals.pinFile { return try TPMSlot.pin(NamedSecret(.file(file)).secret()) }
        guard context.terminal.isAvailable, !context.globals.leavesLocked else {
            throw .file(.inputNeeded(flag: "--pin-file FILE"))
        }
        let left = (try? context.hardware.devices())?.triesLeft
        let typed = try typedPIN(slot, left, hasOtherWay: false)
        guard typed.count > 0 else { throw .file(.refused) }
        return try TPMSlot.pin(typed)
    }

    private func typedPIN(
        _ slot: SlotGlance,
        _ triesLeft: UInt32?,
        hasOtherWay: Bool
    ) throws(OpeningError) -> SecretBytes {
        do throws(ConsoleError) {
            return try context.terminal.askHidden(
                PINQuestion.title(slot: slot.number, triesLeft: triesLeft, hasOtherWay: hasOtherWay),
                flag: "--pin-file FILE"
            )
        } catch {
            throw .file(error)
        }
    }
}

extension OpeningError {
    /// Whether a PIN may be typed again.
    fileprivate var isWrongPIN: Bool {
        switch self {
        case .badPIN, .hardware(.tpm(.pinWrong)): true
        default: false
        }
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
