import Foundation
import RecordStore
import SecretServiceStore
import Support
import Synchronization
import VaultCrypto

/// The real service, whose daemon is killed at a call of choice: before it, after it, or while it runs.
final class StoreKillingService: ItemService {
    enum Moment: CaseIterable { case before, during, after }

    private let service: SecretService
    private let keyring: ScratchKeyring
    private let plan = Mutex<(calls: Int, at: Int, moment: Moment)>((0, 0, .before))

    init(_ service: SecretService, _ keyring: ScratchKeyring) {
        self.service = service
        self.keyring = keyring
    }

    /// Counts calls from now on, and kills at call `number`.
    func kill(at number: Int, _ moment: Moment) { plan.withLock { $0 = (0, number, moment) } }

    /// Whether the call was reached.
    var hasKilled: Bool { plan.withLock { $0.calls >= $0.at } }

    private func around<R>(_ call: () throws(StoreError) -> R) throws(StoreError) -> R {
        let moment = plan.withLock { plan in
            plan.calls += 1
            return plan.calls == plan.at ? plan.moment : nil
        }
        switch moment {
        case .before: keyring.killKeyring()
        case .during:
            let killed = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [keyring] in
                keyring.killKeyring()
                killed.signal()
            }
            // A kill that comes late must not reach the daemon that the test starts next.
            defer { killed.wait() }
            return try call()
        case .after:
            defer { keyring.killKeyring() }
            return try call()
        case nil: break
        }
        return try call()
    }

    func isDurable() throws(StoreError) -> Bool { true }

    func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems {
        try around { () throws(StoreError) in try service.find(attributes) }
    }

    func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        try around { () throws(StoreError) in try service.eachSecret(of: items, visit) }
    }

    func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts] {
        try around { () throws(StoreError) in try service.facts(of: items) }
    }

    func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath {
        try around { () throws(StoreError) in try service.create(draft, in: collection) }
    }

    func setSecret(_ secret: Secret, of item: ItemPath) throws(StoreError) {
        try around { () throws(StoreError) in try service.setSecret(secret, of: item) }
    }

    func describe(_ item: ItemPath, label: String, attributes: [String: String]) throws(StoreError) {
        try around { () throws(StoreError) in
            try service.describe(item, label: label, attributes: attributes)
        }
    }

    func delete(_ item: ItemPath) throws(StoreError) {
        try around { () throws(StoreError) in try service.delete(item) }
    }

    func unlock(_ paths: [String]) throws(StoreError) { try service.unlock(paths) }
}
