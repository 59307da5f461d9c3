internal import FileStore
internal import Presentation
package import RecordStore
internal import System
package import VaultCrypto
package import VaultLifecycle

/// The secret of a slot that the TPM or a security key opens, with a PIN if the slot needs one.
package struct DeviceSecret: SecretSource {
    /// How often a person may type a PIN.
    private static let tries = 3

    private let context: Context
    private let place: VaultPlace
    /// The kind of slot that was named; nil for any.
    private let kind: SlotKind?
    /// The number of the slot that was named; nil for any.
    private let number: UInt32?

    package init(_ context: Context, _ place: VaultPlace, _ kind: SlotKind? = nil, slot number: UInt32? = nil)
    {
        (self.context, self.place, self.kind, self.number) = (context, place, kind, number)
    }

    package var isNamed: Bool { true }
    package var isAsked: Bool { true }
    package var option: String? { "--with" }

    /// Always throws, because a device does not have a secret that could be typed.
    package func secret(attempt: Int) throws(OpeningError) -> SecretBytes { throw .store(.noSuchSlot) }

    package func unlock(attempt: Int) throws(OpeningError) -> Unlock {
        let overview = try overview()
        let slots = HardwareSlots(of: overview, context.hardware, slot: number)
        if kind == .securityKey {
            let offers = try slots.keyOffers()
            guard let offer = offers.first else { throw .store(.noSuchSlot) }
            return try use(offer, slots)
        }
        if let unlock = try withoutPIN(overview) { return unlock }
        return try use(try tpmOffer(slots), slots)
    }

    /// The slot for the agent to open the vault, with its PIN if it has one; nil if the agent does not need a person.
    package func chosen() throws(OpeningError) -> (slot: UInt32, pin: Secret?)? {
        let overview = try overview()
        let slots = HardwareSlots(of: overview, context.hardware, slot: number)
        if kind == .securityKey {
            guard let offer = try slots.keyOffers().first else { throw .store(.noSuchSlot) }
            let pin = try givenPIN(offer)
            context.output.say(PINQuestion.touch(offer, hasOtherWay: false))
            return (offer.slot.number, pin)
        }
        let all = TPMSlot.all(of: overview).filter { number == nil || $0.number == number }
        guard let first = all.first else { throw .store(.noSuchSlot) }
        guard first.needsPIN else { return nil }
        let offer = try tpmOffer(slots)
        return (offer.slot.number, try givenPIN(offer))
    }

    /// Asks for the PIN or the touch of a device that opens a slot now.
    ///
    /// It returns nil without such a device, and if the person wants to type the passphrase.
    func offered() throws(OpeningError) -> Unlock? {
        guard let overview = try? overview() else { return nil }
        let slots = HardwareSlots(of: overview, context.hardware)
        for attempt in 1...Self.tries {
            guard let offer = slots.offers.first(where: { !$0.isLastTry }) else { return nil }
            var pin: Secret?
            if offer.needsPIN {
                pin = try typedPIN(offer, hasOtherWay: true)
                guard pin != nil else { return nil }
            }
            do throws(OpeningError) {
                guard offer.key != nil else { return try slots.unlock(offer, pin: pin) }
                let text = PINQuestion.touch(offer, hasOtherWay: true)
                return try context.terminal.showing(text) { (enter) throws(OpeningError) in
                    try slots.unlock(offer, pin: pin, until: enter)
                }
            } catch .hardware(.key(.cancelled)) {
                return nil
            } catch {
                // The user did not name this device: if it fails, hsip asks for the passphrase.
                context.output.say("hsip: \(error.explanation(context.output.display).message)")
                guard error.isWrongPIN, attempt < Self.tries else { return nil }
            }
        }
        return nil
    }

    private func overview() throws(OpeningError) -> FileOverview {
        do throws(StoreError) { return try FileStore.overview(at: place.paths) } catch { throw .store(error) }
    }

    /// Unlocks with a slot of the TPM that has no PIN; nil without such a slot.
    private func withoutPIN(_ overview: FileOverview) throws(OpeningError) -> Unlock? {
        let all = TPMSlot.all(of: overview).filter { number == nil || $0.number == number }
        guard !all.isEmpty else { throw .store(.noSuchSlot) }
        for (index, slot) in all.enumerated() where !slot.needsPIN {
            do throws(OpeningError) {
                return try TPMSlot(of: overview.vaultID, context.hardware).unlock(slot, pin: nil)
            } catch {
                // A vault that two machines use has a slot for each.
                guard error == .hardware(.tpm(.otherTPM)), index + 1 < all.count else { throw error }
            }
        }
        return nil
    }

    /// The slot of the TPM whose PIN hsip asks for; a script that cannot give a PIN gets an error first.
    private func tpmOffer(_ slots: HardwareSlots) throws(OpeningError) -> HardwareOffer {
        if context.globals.pinFile == nil { try checkPerson() }
        guard let offer = try slots.tpmOffers().first else { throw .store(.noSuchSlot) }
        return offer
    }

    private func use(_ offer: HardwareOffer, _ slots: HardwareSlots) throws(OpeningError) -> Unlock {
        let pin = try givenPIN(offer)
        if offer.key != nil { context.output.say(PINQuestion.touch(offer, hasOtherWay: false)) }
        return try slots.unlock(offer, pin: pin)
    }

    /// The PIN from a file, or from a person; nil if the device needs none.
    private func givenPIN(_ offer: HardwareOffer) throws(OpeningError) -> Secret? {
        guard offer.needsPIN else { return nil }
        guard !offer.isLastTry || context.globals.takesLastTries else { throw .lastTries }
        if let file = context.globals.pinFile { return Secret(try NamedSecret(.file(file)).secret()) }
        try checkPerson()
        guard let typed = try typedPIN(offer, hasOtherWay: false) else { throw .file(.refused) }
        return typed
    }

    private func checkPerson() throws(OpeningError) {
        guard context.terminal.isAvailable, !context.globals.leavesLocked else {
            throw .file(.inputNeeded(flag: "--pin-file FILE"))
        }
    }

    /// The PIN that a person typed; nil for an empty one.
    private func typedPIN(_ offer: HardwareOffer, hasOtherWay: Bool) throws(OpeningError) -> Secret? {
        do throws(ConsoleError) {
            let question = PINQuestion.title(offer, hasOtherWay: hasOtherWay)
            let typed = try context.terminal.askHidden(question, flag: "--pin-file FILE")
            return typed.count > 0 ? Secret(typed) : nil
        } catch {
            throw .file(error)
        }
    }
}

extension OpeningError {
    /// Whether a PIN may be typed again.
    fileprivate var isWrongPIN: Bool {
        switch self {
        case .badPIN, .hardware(.tpm(.pinWrong)), .hardware(.key(.pinWrong)), .hardware(.key(.pinLength)):
            true
        default: false
        }
    }
}
