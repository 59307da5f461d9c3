internal import SSHFormats
internal import Synchronization
internal import VaultCrypto

extension KeyRing {
    /// Adds a key.
    ///
    /// A key that was added or removed before gets the new constraints. A key that the vault also has keeps the
    /// vault's conditions, too.
    ///
    /// - Returns: false if it cannot be read, or exceeds the part of a list for added keys.
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

    /// Offers a removed identity again.
    func offerAgain(_ blob: [UInt8]) {
        state.withLock { state in
            state.open?.letGo { $0.identities[0].blob == blob }
            state.open?.hidden.remove(blob)
        }
    }

    /// Removes one identity until the vault is opened again; a key of the vault stays in the vault.
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

    /// Removes all identities until the vault is opened again.
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

    /// The milliseconds that a passphrase waits for earlier ones: a wrong one needs up to ten seconds.
    static let patience = 15_000

    /// Whether `ssh-add -x` locked the key ring.
    var isPassphraseLocked: Bool { state.withLock { $0.lock != nil } }

    /// Hides all keys until the passphrase is given again; the vault itself does not change.
    func lock(with passphrase: Secret) -> Bool {
        judging.pass(within: Self.patience) {
            guard !isPassphraseLocked, let lock = try? PassphraseLock(passphrase) else { return false }
            state.withLock { $0.lock = lock }
            return true
        } ?? false
    }

    /// Ends `lock(with:)`; each wrong passphrase costs more time than the previous one.
    ///
    /// - Parameters:
    /// - passphrase: compared with the passphrase of the lock.
    /// - milliseconds: the longest wait for earlier passphrases; after it the passphrase counts as wrong.
    /// - wait: called after a wrong passphrase with the milliseconds to wait: 100 for each so far, at most 10,000.
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
