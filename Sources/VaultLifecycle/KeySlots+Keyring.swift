internal import Console
internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultLifecycle

/// A key slot of a vault file whose secret lies in the login keyring.
///
/// The item comes first and the slot second, so that there is never a slot without its secret; an item whose
/// slot was not made is taken away again.
struct NewKeyringSlot {
    /// What the slot is called where nobody names it.
    static let label = "login keyring"

    private let service: SecretService
    private let collection: CollectionInfo

    /// Unlocks the default keyring, asking at the desktop where that is allowed.
    init(_ context: Context) throws(StoreError) {
        service = try context.connect(context.patience)
        collection = try service.collection(.standard, making: false)
    }

    /// One slot is enough for a keyring; another one would only be another key to lose.
    static func refuseSecond(_ store: FileStore, _ context: Context) throws {
        guard try store.slots().contains(where: { $0.kind == .secretService }) else { return }
        let service = try context.connect(context.patience)
        guard try !KeyringSlot.find(store.vaultID, in: service).slots.isEmpty else { return }
        throw Failure(
            .conflict,
            code: "alreadyExists",
            message: "the vault has a slot for this keyring already",
            hint: "hsip vault slot test secret-service"
        )
    }

    /// Makes item and slot.
    ///
    /// - Parameters:
    ///   - name: What the vault is called.
    ///   - write: Adds the slot, or puts it in the place of another, and tells its number.
    /// - Returns: the number of the slot.
    func make(
        in store: FileStore,
        name: String,
        label: String,
        _ context: Context,
        _ write: (NewSlot) throws(StoreError) -> UInt32
    ) throws(StoreError) -> UInt32 {
        let before = try store.slots().map(\.number)
        let expected = (before.last ?? 0) &+ 1
        let item = try KeyringSlot.make(
            for: store.vaultID,
            number: expected,
            name: name,
            in: collection.path,
            service,
            entropy: .system
        )
        let number: UInt32
        do throws(StoreError) {
            number = try write(NewSlot(item.unlock, label: label))
        } catch {
            // An item that opens nothing is not left lying about; one that may open the vault is never lost.
            let isUnchanged = (try? store.slots().map(\.number)) == before
            if error != .commitUnknown || isUnchanged { try? item.remove(service) }
            throw error
        }
        if number != expected { try? item.renumber(to: number, of: store.vaultID, name: name, service) }
        // The end of this run writes the second anchor.
        context.companion = try? KeyringCompanion(service, store.vaultID)
        context.companion?.opened = store
        return number
    }

    /// Takes away what belonged to a slot that is gone from the vault; where the keyring cannot be had, that is
    /// said, and the slot is gone all the same.
    static func forget(_ number: UInt32, _ store: FileStore, _ context: Context) {
        do throws(StoreError) {
            let isLast = try !store.slots().contains { $0.kind == .secretService }
            // The end of the run has nothing to remember any more.
            if isLast { context.companion = nil }
            let service = try context.connect(context.patience)
            try KeyringSlot.remove(number: number, of: store.vaultID, service)
            if isLast { try KeyringAnchor.remove(store.vaultID, service) }
        } catch {
            context.output.note("its item stays in the keyring: \(StoreTexts.text(of: error).0)")
        }
    }
}
