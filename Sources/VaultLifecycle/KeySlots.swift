package import FileStore
package import RecordStore
internal import SecretServiceStore

/// The key slots of an open vault file: what opens it.
///
/// A slot can only be made with the vault key, which is not kept: the secret that opened the file is needed once more.
package struct KeySlots {
    /// What the slot in the login keyring is called without a name of its own.
    package static let keyringLabel = "login keyring"

    /// How a slot is written.
    package enum Act: Equatable, Sendable {
        case add
        /// In the place of the slot of this number.
        case replace(UInt32)
    }

    package let store: FileStore
    let secret: Unlock
    private let progress: any Progress

    package init(of store: FileStore, _ secret: Unlock, showing progress: any Progress = NoProgress()) {
        self.store = store
        self.secret = secret
        self.progress = progress
    }

    /// Writes a slot that a person's secret opens.
    ///
    /// - Parameters:
    ///   - new: The slot, with the secret that opens it.
    ///   - act: Whether it is added, or takes the place of another one.
    ///   - undo: Called where nothing was made, so that a code that opens nothing is not left lying about;
    ///     one that may open something is never lost.
    /// - Returns: its number.
    /// - Throws: as `FileStore.addSlot` and `FileStore.replaceSlot`.
    package func write(
        _ new: NewSlot,
        _ act: Act,
        undo: () -> Void
    ) throws(StoreError) -> UInt32 {
        let before = try store.slots().map(\.number)
        do throws(StoreError) {
            return try progress.during(.writingSlot) { () throws(StoreError) in try put(new, act) }
        } catch {
            if error != .commitUnknown, let now = try? store.slots().map(\.number), now == before { undo() }
            throw error
        }
    }

    func put(_ new: NewSlot, _ act: Act) throws(StoreError) -> UInt32 {
        switch act {
        case .add: try store.addSlot(new, unlock: secret)
        case .replace(let number): try store.replaceSlot(number, with: new, unlock: secret)
        }
    }
}
