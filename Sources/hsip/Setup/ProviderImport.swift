internal import Commands
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Text
internal import VaultKit

/// Takes what programs keep in the service that answers now into the vault, before the vault takes its place.
struct ProviderImport {
    /// Bytes that travel to the agent at once; several of these are several commits.
    private static let part = 4 << 20

    private let context: Context

    init(_ context: Context) { self.context = context }

    /// Asks first; a no leaves them where they are.
    ///
    /// Nothing of the old service is changed.
    ///
    /// - Throws: `keyringLocked` where a collection stays locked: its items would be out of reach afterwards.
    func run() async throws {
        guard let service = try connected() else { return }
        let found: KeyringItemSource.Found
        do {
            found = try context.output.working("reading the keyring…") {
                try KeyringItemSource(service).read()
            }
        } catch StoreError.keyringLocked, StoreError.promptDismissed {
            throw Failure(
                .keyringLocked,
                "the keyring is locked, so hsip cannot import its items",
                hint: "hsip setup keyring --no-import"
            )
        }
        let count = found.items.count
        guard count > 0, try context.agrees("Import \(count) items from the keyring into the vault?") else {
            return
        }
        let vault = try await context.openVault()
        context.hasChanged = true
        var (added, known) = (0, 0)
        for part in found.parts(bytes: Self.part) {
            let batch = try ItemImport(part, labels: found.labels, updates: false)
            for (item, outcome) in zip(part, try await vault.importItems(batch)) {
                switch outcome.act {
                case .added, .versioned: added += 1
                case .known: known += 1
                case .differs: leaves(item.label, "the vault has another value")
                case .noRoom: leaves(item.label, "the vault has no room for more")
                }
            }
        }
        context.output.note("imported \(added) of \(count) items; \(known) were in the vault already")
        for (label, reason) in found.leftOut { leaves(label, reason) }
    }

    private func leaves(_ label: String, _ reason: String) {
        context.output.note("\(context.output.display.name(label)) was not imported: \(reason)")
    }

    /// The service that answers; nil where there is none, or where it is the vault already.
    private func connected() throws(StoreError) -> SecretService? {
        do throws(StoreError) {
            return try context.connect(context.patience)
        } catch .noSecretService {
            return nil
        } catch .ownProvider {
            return nil
        }
    }
}
