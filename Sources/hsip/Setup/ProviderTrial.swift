internal import Commands
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import VaultCrypto
internal import VaultLifecycle

/// Stores an item in a collection of its own by the session bus, finds it, reads it back and removes both.
struct ProviderTrial {
    private static let label = "hsip setup keyring"
    /// A first call may start two programs.
    private static let patience = Duration.seconds(60)
    /// What the item is found by.
    private static let attributes = ["xdg:schema": "io.hsip.Trial", "purpose": "setup keyring"]

    private let context: Context

    init(_ context: Context) { self.context = context }

    /// Goes through with it; what it made is removed afterwards, whatever happened.
    ///
    /// - Throws: `unavailable` with what went wrong.
    func run() throws {
        do throws(StoreError) {
            let service = try SecretService.connectToOwn(
                environment: context.environment.busVariables,
                patience: Patience(call: Self.patience, mayAsk: context.mayAskAtDesktop)
            )
            try removeLeftovers(service)
            let collection = try service.makeCollection(Self.label)
            do throws(StoreError) {
                try store(service, in: collection)
            } catch {
                try? removeLeftovers(service)
                throw error
            }
            try service.removeCollection(collection)
        } catch {
            throw Failure(
                .unavailable,
                "the trial of hsip-secrets failed: \(error.explanation.message)",
                hint: "hsip doctor"
            )
        }
    }

    private func store(_ service: SecretService, in collection: String) throws(StoreError) {
        let value: Secret
        do {
            value = Secret(try Entropy.system.secret(32))
        } catch {
            throw .outOfMemory
        }
        let item = try service.create(
            ItemDraft(label: Self.label, attributes: Self.attributes, secret: value),
            in: collection
        )
        guard try service.find(Self.attributes).unlocked.contains(item) else { throw .notFound }
        var isSame = false
        try service.eachSecret(of: [item]) { _, bytes in isSame = ConstantTime.equal(bytes, value) }
        guard isSame else { throw .notFound }
        try service.delete(item)
        let rest = try service.find(Self.attributes)
        guard !(rest.unlocked + rest.locked).contains(item) else { throw .keyringRefused(code: 0) }
    }

    /// Removes what this trial, or one that was killed, made.
    private func removeLeftovers(_ service: SecretService) throws(StoreError) {
        let collections = try service.collections().filter { $0.label == Self.label }
        guard !collections.isEmpty else { return }
        for item in try service.find(Self.attributes).unlocked {
            guard collections.contains(where: { item.hasPrefix($0.path + "/") }) else { continue }
            try service.delete(item)
        }
        for collection in collections { try service.removeCollection(collection.path) }
    }
}
