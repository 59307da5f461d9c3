public import RecordStore
import Synchronization
public import VaultCrypto

/// A store in memory: the stand-in for a file in tests.
///
/// It keeps the whole contract but durability: what it holds is gone with the process. Secrets stay in locked
/// memory.
public final class MemoryStore: Store {
    private struct State {
        var records: [RecordID: Record] = [:]
        var generation: UInt64 = 1
        var floor: UInt64 = 0
        var commits = 0
        var fault: (number: Int, point: FaultPoint, error: StoreError)?
    }

    /// When a planned failure happens.
    public enum FaultPoint: Sendable {
        /// Nothing is written.
        case before
        /// Everything is written; only the answer is lost.
        case after
    }

    /// 16 random bytes.
    public let vaultID: [UInt8]
    private let entropy: Entropy
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// An empty store.
    ///
    /// - Parameters:
    ///   - entropy: Where the vault id and the records' `uid` come from.
    ///   - now: The time in milliseconds of Unix time.
    public init(entropy: Entropy, now: @escaping @Sendable () -> UInt64) {
        vaultID = entropy.bytes(16)
        self.entropy = entropy
        self.now = now
    }

    /// Passes one consistent view to `body`, for the time of the call.
    public func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        try body(
            state.withLock { state in
                MemoryReader(records: state.records, floor: state.floor, generation: state.generation)
            }
        )
    }

    /// Makes all changes or none.
    @discardableResult
    public func commit(_ changes: ChangeSet) throws(StoreError) -> Revision {
        try changes.check()
        return try state.withLock { state throws(StoreError) in
            guard changes.floor == state.floor else { throw .conflict }
            for change in changes.changes { try check(change, in: state) }
            guard !changes.changes.isEmpty else { return state.generation }

            state.commits += 1
            let fault = state.fault.flatMap { $0.number == state.commits ? $0 : nil }
            if let fault, fault.point == .before { throw fault.error }
            state.generation += 1
            for change in changes.changes { apply(change, to: &state) }
            if let fault { throw fault.error }
            return state.generation
        }
    }

    /// Makes commit number `number` (counted from 1, writing commits only) fail with `error`.
    public func fail(
        atCommit number: Int,
        _ point: FaultPoint,
        with error: StoreError = .commitUnknown
    ) {
        state.withLock { $0.fault = (number, point, error) }
    }

    /// How many change sets have been written or made to fail.
    public var commits: Int { state.withLock { $0.commits } }

    /// Does to the records what a restore does: all of them predate it from now on.
    public func raiseFloor() {
        state.withLock { state in
            state.generation += 1
            state.floor = state.generation
        }
    }

    private func check(_ change: Change, in state: State) throws(StoreError) {
        let revision = state.records[change.id]?.info.revision ?? 0
        switch change {
        case .put(_, let expected):
            guard expected == revision else { throw .conflict }
        case .delete(_, let expected):
            guard expected == nil || expected == revision else { throw .conflict }
        }
    }

    private func apply(_ change: Change, to state: inout State) {
        switch change {
        case .delete(let id, _):
            state.records[id] = nil
        case .put(let draft, _):
            let old = state.records[draft.id]?.info
            let info = draft.written(over: old, revision: state.generation, at: now(), entropy)
            state.records[draft.id] = Record(info: info, body: draft.body)
        }
    }
}
