package import RecordStore
package import SecretServiceStore
internal import Synchronization
package import VaultCrypto

/// A Secret Service in memory, with the habits of GNOME Keyring, that fails on command.
package final class StoreFakeService: ItemService {
    package struct Item: Equatable {
        package var label: String
        package var attributes: [String: String]
        package var secret: [UInt8]
        package var created: UInt64
        package var modified: UInt64
    }

    /// What happens to the call that fails.
    package enum Point: CaseIterable {
        /// It has no effect.
        case before
        /// It has its effect; only the answer is lost.
        case after
        /// It has half of its effect: an item without its secret, a label without the attributes.
        case torn
    }

    package struct Fault {
        package var call: Int
        package var point: Point
        package var error: StoreError
        /// Whether every later call fails, too, until the service is revived.
        package var forGood: Bool

        package init(
            call: Int,
            point: Point,
            error: StoreError = .keyringDied,
            forGood: Bool = false
        ) {
            self.call = call
            self.point = point
            self.error = error
            self.forGood = forGood
        }
    }

    package init() {}

    /// The call before which the collection locks itself.
    package func lock(beforeCall call: Int) {
        state.withLock { state in
            state.calls = 0
            state.lockingCall = call
        }
    }

    private struct State {
        var items: [ItemPath: Item] = [:]
        var next = 1
        var time: UInt64 = 1_800_000_000
        var calls = 0
        var writes = 0
        var fault: Fault?
        var lockingCall = 0
        var isDead = false
        var isLocked = false
        var mayAsk = true
        var isDurable = true
        var asked = 0
        var whileAsking: (@Sendable () -> Void)?
        var beforeWriting: (@Sendable () -> Void)?
    }

    package static let collection = "/org/freedesktop/secrets/collection/login"
    package static let info = CollectionInfo(
        path: collection,
        label: "Login",
        isLocked: false,
        isDefault: true
    )
    private let state = Mutex(State())

    /// What happened so far.
    package var calls: Int { state.withLock { $0.calls } }
    package var writes: Int { state.withLock { $0.writes } }
    package var asked: Int { state.withLock { $0.asked } }
    package var items: [ItemPath: Item] { state.withLock { $0.items } }

    /// Plans a failure, counting calls from now on.
    package func fail(_ fault: Fault?) {
        state.withLock { state in
            state.calls = 0
            state.fault = fault
            state.isDead = false
        }
    }

    /// Does something once, when the next call that changes an item comes.
    package func beforeWriting(_ act: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeWriting = act }
    }

    /// Changes the items behind everyone's back.
    package func tamper(_ change: (inout [ItemPath: Item]) -> Void) {
        state.withLock { change(&$0.items) }
    }

    /// Makes an item as another program does.
    @discardableResult
    package func plant(_ attributes: [String: String], _ secret: String, label: String = "") -> ItemPath {
        state.withLock { state in
            Self.make(&state, label, attributes, Array(secret.utf8), in: Self.collection)
        }
    }

    /// Locks the collection; a person unlocks it when asked, if anybody may be asked.
    package func lock(mayAsk: Bool = true, whileAsking: (@Sendable () -> Void)? = nil) {
        state.withLock { state in
            state.isLocked = true
            state.mayAsk = mayAsk
            state.whileAsking = whileAsking
        }
    }

    /// Unlocks the collection behind everyone's back.
    package func unlockQuietly() { state.withLock { $0.isLocked = false } }

    /// Puts items back as they were.
    package func restore(_ items: [ItemPath: Item]) { state.withLock { $0.items = items } }

    /// From now on the service keeps what it was told in memory only, as KeePassXC may.
    package func forgets() { state.withLock { $0.isDurable = false } }

    package func isDurable() throws(StoreError) -> Bool { state.withLock { $0.isDurable } }

    package func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems {
        try call { state throws(StoreError) in
            let paths = state.items.filter { item in
                attributes.allSatisfy { item.value.attributes[$0.key] == $0.value }
            }.keys.sorted()
            return state.isLocked ? FoundItems(locked: paths) : FoundItems(unlocked: paths)
        }
    }

    package func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError) {
        let found = try call { state throws(StoreError) -> [(ItemPath, [UInt8])] in
            // What is locked is left out, like what is gone.
            if state.isLocked { return [] }
            return items.compactMap { path in state.items[path].map { (path, $0.secret) } }
        }
        // In no order.
        for (path, secret) in found.reversed() {
            try secret.withBytes { span throws(StoreError) in try visit(path, span) }
        }
    }

    package func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts] {
        try call { state throws(StoreError) in
            items.compactMap { path in
                state.items[path].map { item in
                    ItemFacts(
                        path: path,
                        label: item.label,
                        // Providers add attributes of their own.
                        attributes: item.attributes.merging(["Path": "x"]) { old, _ in old },
                        created: item.created,
                        modified: item.modified
                    )
                }
            }
        }
    }

    package func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath {
        try write { state, isTorn in
            let secret = isTorn ? [] : draft.secret.withBytes { $0.copied() }
            return Self.make(&state, draft.label, draft.attributes, secret, in: collection)
        }
    }

    package func setSecret(_ secret: Secret, of item: ItemPath) throws(StoreError) {
        guard items[item] != nil else { throw .notFound }
        try write { state, isTorn in
            guard !isTorn else { return }
            state.items[item]?.secret = secret.withBytes { $0.copied() }
            state.time += 1
            state.items[item]?.modified = state.time
        }
    }

    package func describe(_ item: ItemPath, label: String, attributes: [String: String]) throws(StoreError) {
        try write { state, isTorn in
            state.items[item]?.label = label
            if !isTorn { state.items[item]?.attributes = attributes }
        }
    }

    package func delete(_ item: ItemPath) throws(StoreError) {
        try write { state, isTorn in if !isTorn { state.items[item] = nil } }
    }

    package func unlock(_ paths: [String]) throws(StoreError) {
        let whileAsking = try state.withLock { state throws(StoreError) in
            guard state.mayAsk else { throw .keyringLocked }
            state.asked += 1
            return state.whileAsking
        }
        whileAsking?()
        state.withLock { $0.isLocked = false }
    }

    private static func make(
        _ state: inout State,
        _ label: String,
        _ attributes: [String: String],
        _ secret: [UInt8],
        in collection: String
    ) -> ItemPath {
        let path = "\(collection)/\(state.next)"
        state.next += 1
        state.time += 1
        state.items[path] = Item(
            label: label,
            attributes: attributes,
            secret: secret,
            created: state.time,
            modified: state.time
        )
        return path
    }

    /// A call that changes nothing: it fails, or not.
    private func call<R>(_ act: (inout State) throws(StoreError) -> R) throws(StoreError) -> R {
        try state.withLock { state throws(StoreError) in
            if let fault = try Self.fault(&state) { throw fault.error }
            return try act(&state)
        }
    }

    /// A call that changes something: it fails with all, half, or nothing of its effect, or not.
    private func write<R>(_ act: (inout State, Bool) -> R) throws(StoreError) -> R {
        let before = state.withLock { state in
            defer { state.beforeWriting = nil }
            return state.beforeWriting
        }
        before?()
        return try state.withLock { state throws(StoreError) in
            let fault = try Self.fault(&state)
            guard !state.isLocked else { throw .keyringLocked }
            state.writes += 1
            guard let fault else { return act(&state, false) }
            if fault.point != .before { _ = act(&state, fault.point == .torn) }
            throw fault.error
        }
    }

    /// Counts a call; the failure that is planned for it.
    private static func fault(_ state: inout State) throws(StoreError) -> Fault? {
        guard !state.isDead else { throw .keyringDied }
        state.calls += 1
        if state.calls == state.lockingCall { state.isLocked = true }
        guard let fault = state.fault, fault.call == state.calls else { return nil }
        state.fault = nil
        state.isDead = fault.forGood
        return fault
    }

    /// Whether the planned failure has happened.
    package var hasFailed: Bool { state.withLock { $0.fault == nil } }
}
