internal import Secrets
internal import MessageBus
internal import VaultKit

/// The state of the vault, and what clients learn of it.
extension Front {
    /// Looks at the state of the vault before something is answered that depends on it.
    func look(_ call: BusMessage, _ client: Client, _ then: @escaping () throws -> Void) {
        work(call, for: client) {
            try await $0.vaultState()
        } _: { [self] seen in
            saw(seen)
            try then()
        }
    }

    /// Whether an open vault was seen, and no event told of a change since.
    var isKnown: Bool { !isStale && !vaultState.isLocked }

    /// Takes note of the state of the vault, and tells clients what has changed.
    ///
    /// - Parameters:
    ///   - seen: how it stands.
    ///   - isWhole: whether its collections were looked at; a locked vault tells of none, and they are as they were.
    func saw(_ seen: VaultState, isWhole: Bool = true) {
        let before = vaultState
        let isKnown = isWhole && !seen.isLocked
        vaultState = VaultState(
            isLocked: seen.isLocked,
            collections: isKnown ? seen.collections : before.collections
        )
        if isKnown {
            isStale = false
            tellCollections(before)
            if !pool.vaultID.isEmpty { memory.keep(vaultState.collections, of: pool.vaultID) }
        }
        for id in vaultState.ids where before.has(id) && vaultState.isClosed(id) != before.isClosed(id) {
            tell("Locked", .bool(vaultState.isClosed(id)), of: id)
            tellReaders(isClosed: vaultState.isClosed(id), id)
        }
    }

    /// Tells clients which collections are others than before; the first look is none that could tell.
    private func tellCollections(_ before: VaultState) {
        guard !before.collections.isEmpty else { return }
        for view in vaultState.collections {
            let path = ObjectPath.collection(view.id).text
            guard let old = before.collection(view.id) else {
                tellService("CollectionCreated", path)
                continue
            }
            guard old.label != view.label || old.isDefault != view.isDefault else { continue }
            if old.label != view.label { tell("Label", .text(view.label), of: view.id) }
            tellService("CollectionChanged", path)
        }
        for old in before.collections where !vaultState.has(old.id) {
            tellService("CollectionDeleted", ObjectPath.collection(old.id).text)
        }
        guard Set(before.ids) != Set(vaultState.ids) else { return }
        tell(["Collections": collectionPaths], ObjectPath.root, Interface.service)
    }

    /// The collections, as the service names them.
    var collectionPaths: PropertyValue { .paths(vaultState.ids.map { ObjectPath.collection($0).text }) }

    /// Looks by itself, as no call of a client waits for it; where the vault cannot be looked at, all stays as it was seen.
    func lookAround(_ then: @escaping () -> Void = {}) {
        let number = start(for: own, isCall: false) { vault in
            try await vault.vaultState()
        } _: { [unowned self] result in
            if let seen = try? result.get() { saw(seen) }
            then()
        }
        if number == nil { then() }
    }
}
