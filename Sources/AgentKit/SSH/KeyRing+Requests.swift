internal import SSHFormats
internal import Synchronization
internal import VaultCrypto

extension KeyRing {
    /// Takes a key; one that was added or removed before comes with the new conditions, and one that the vault
    /// has keeps the conditions from there as well.
    ///
    /// - Returns: false where it cannot be read, or would take more of a list than is for such keys.
    func add(_ addition: SSHAgentAddition) -> Bool {
        let now = BootTime.now()
        guard let brought = try? RingKey(addition, at: now) else { return false }
        return state.withLock { state in
            guard state.lock == nil, var open = state.open else { return false }
            let key = open.narrowed(brought)
            guard !key.isOver(at: now) else { return false }
            let blob = key.identities[0].blob
            let place = open.added.firstIndex { $0.identities[0].blob == blob }
            let others = open.added.indices.filter { $0 != place }.map { open.added[$0].listed.size }
            guard others.count < Self.maximumAdded, others.reduce(key.listed.size, +) <= Self.longestAdded
            else { return false }
            open.hidden.remove(blob)
            if let place {
                open.added[place].wipe()
                open.added[place] = key
            } else {
                open.added.append(key)
            }
            state.open = open
            return true
        }
    }

    /// Offers one identity again that was taken out.
    func offerAgain(_ blob: [UInt8]) {
        state.withLock { state in
            state.open?.letGo { $0.identities[0].blob == blob }
            state.open?.hidden.remove(blob)
        }
    }

    /// Lets go of one identity until the vault is opened again; one of the vault stays in the vault.
    func remove(_ blob: [UInt8]) -> Bool {
        let now = BootTime.now()
        return state.withLock { state in
            guard state.lock == nil, var open = state.open else { return false }
            guard open.offers(at: now).byBlob[blob] != nil else { return false }
            open.letGo { $0.identities[0].blob == blob }
            open.hidden.insert(blob)
            for key in open.snapshot.keys
            where key.identities.allSatisfy({ open.hidden.contains($0.blob) }) { key.wipe() }
            state.open = open
            return true
        }
    }

    /// Lets go of all of them until the vault is opened again.
    func removeAll() -> Bool {
        state.withLock { state in
            guard state.lock == nil else { return false }
            state.open?.wipe()
            state.open?.added = []
            let blobs = state.open?.snapshot.keys.flatMap(\.identities).map(\.blob) ?? []
            state.open?.hidden.formUnion(blobs)
            return true
        }
    }

    /// Milliseconds that a passphrase waits for those before it: a wrong one takes up to ten seconds.
    static let patience = 15_000

    /// Whether `ssh-add -x` locked the ring.
    var isPassphraseLocked: Bool { state.withLock { $0.lock != nil } }

    /// Shows and uses no key until the passphrase comes back; the vault itself stays as it is.
    func lock(with passphrase: Secret) -> Bool {
        judging.pass(within: Self.patience) {
            guard !isPassphraseLocked, let lock = try? PassphraseLock(passphrase) else { return false }
            state.withLock { $0.lock = lock }
            return true
        } ?? false
    }

    /// Ends `lock(with:)`; each wrong passphrase costs more time than the one before.
    ///
    /// - Parameters:
    ///   - passphrase: compared with the one that locked the ring.
    ///   - milliseconds: how long it waits for those that are tried before it; after that it counts as wrong.
    ///   - wait: is given the milliseconds to wait after a wrong one: 100 for each so far, at most 10 000.
    /// - Returns: whether this passphrase ended the lock.
    func unlock(
        with passphrase: Secret,
        within milliseconds: Int = patience,
        wait: (Int32) -> Void
    ) -> Bool {
        judging.pass(within: milliseconds) {
            guard let lock = state.withLock({ $0.lock }) else { return false }
            guard lock.opens(with: passphrase) else {
                let failures = state.withLock { state in
                    state.failures = min(state.failures + 1, 100)
                    return state.failures
                }
                wait(Int32(failures) * 100)
                return false
            }
            state.withLock { ($0.lock, $0.failures) = (nil, 0) }
            return true
        } ?? false
    }
}
