internal import VaultKit

/// The state of the vault: whether it is locked, and which collections it has or had when it was last open.
struct VaultState: Sendable {
    /// The collection that is always there.
    static let login = "login"

    var isLocked: Bool
    private(set) var collections: [CollectionView]

    init(isLocked: Bool, collections: [CollectionView]) {
        self.isLocked = isLocked
        self.collections = collections
    }

    /// The ids, `login` among them also before the vault was opened for the first time, and `session` always.
    var ids: [String] {
        (collections.isEmpty ? [Self.login] : collections.map(\.id)) + [SessionCollection.id]
    }

    func has(_ id: String) -> Bool { ids.contains(id) }

    func collection(_ id: String) -> CollectionView? { collections.first { $0.id == id } }

    /// The collection that an alias names.
    func named(_ alias: String) -> String? {
        switch alias {
        case "default": collections.first(where: \.isDefault)?.id ?? Self.login
        case Self.login, SessionCollection.id: alias
        default: nil
        }
    }

    /// Whether the items of a collection cannot be had by any program.
    func isClosed(_ id: String) -> Bool {
        id != SessionCollection.id && (isLocked || collection(id)?.isClosed == true)
    }
}

extension AgentVault {
    /// The state of the vault; opens nothing.
    func vaultState() async throws -> VaultState {
        guard try await !isLocked() else { return VaultState(isLocked: true, collections: []) }
        return VaultState(isLocked: false, collections: try await service(Operations.itemCollections))
    }

    /// The items that the vault has, if it is open, and the state of the vault, unless that is known.
    func views(_ ids: [String], isKnown: Bool) async throws -> (seen: VaultState?, views: [ItemView]) {
        // A vault that was locked meanwhile is looked at.
        if isKnown, let views = ids.isEmpty ? [] : try? await unopening.service.itemViews(ids) {
            return (nil, views)
        }
        let vaultState = try await vaultState()
        return (vaultState, vaultState.isLocked || ids.isEmpty ? [] : try await service.itemViews(ids))
    }

    /// The same for a call that needs an open vault.
    func openVaultState() async throws -> VaultState {
        let vaultState = try await vaultState()
        guard !vaultState.isLocked else { throw CallFailure.isLocked }
        return vaultState
    }
}
