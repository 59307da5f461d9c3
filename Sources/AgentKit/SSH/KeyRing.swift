internal import SSHFormats
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// The keys for ssh: those of the open vault, and those that `ssh-add` added until it locks.
///
/// It has no secrets while the vault is locked. It reads the vault on the threads of connections, which may block.
package final class KeyRing: Sendable {
    /// The largest number of keys that `ssh-add` can add.
    package static let maximumAdded = 1024
    /// The size in bytes of the list part for added keys; the other half is for keys of the vault.
    package static let longestAdded = SSHAgentReply.longestList / 2

    let state = Mutex(State())
    /// Held while a passphrase is checked, so that two are never tried at the same time.
    let judging = TimedLock()

    /// Creates an empty key ring.
    package init() {}

    /// Notes that the vault was opened.
    package func open(_ vault: OpenVault) {
        state.withLock { state in
            state.open?.wipe()
            state.epoch += 1
            let view = SSHView()
            state.open = Open(
                snapshot: Snapshot(
                    opened: vault,
                    view: view,
                    book: HostBook(view),
                    keys: [],
                    epoch: state.epoch
                ),
                opened: BootTime.now()
            )
        }
    }

    /// Removes every key because the vault locks.
    package func lock() {
        state.withLock { state in
            state.open?.wipe()
            state.open = nil
        }
    }

    /// Removes every key, unless another vault was opened meanwhile.
    func lock(_ vault: OpenVault) {
        state.withLock { state in
            guard state.open?.snapshot.opened === vault else { return }
            state.open?.wipe()
            state.open = nil
        }
    }

    /// Whether the vault is open.
    package var isOpen: Bool { state.withLock { $0.open != nil } }

    /// The number of identities that are offered to a program on this machine; nil while locked.
    package var count: Int? {
        let now = BootTime.now()
        return state.withLock { state in state.open?.offers(at: now).list.count }
    }

    /// Removes the keys that `ssh-add` added.
    package func dropAdded() {
        state.withLock { state in
            for key in state.open?.added ?? [] { key.wipe() }
            state.open?.added = []
        }
    }

    /// Wipes expired keys.
    ///
    /// - Returns: the moment when the next key expires (`BootTime`); nil for none.
    @discardableResult
    package func purge() -> UInt64? {
        let now = BootTime.now()
        return state.withLock { state in
            state.open?.purge(at: now)
            guard let open = state.open else { return nil }
            return (open.snapshot.keys + open.added).compactMap(\.end).filter { $0 > now }.min()
        }
    }

    /// Returns the current snapshot; nil while locked.
    ///
    /// - Throws: the errors of the store.
    func refresh() throws(VaultError) -> Snapshot? {
        guard let (old, opened) = state.withLock({ state in state.open.map { ($0.snapshot, $0.opened) } })
        else { return nil }
        let view = try old.vault.sshViewAtOnce(after: old.view)
        guard view.number != old.view.number else { return old }
        let known = Dictionary(
            old.keys.map { ($0.facts.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let keys = view.keys.compactMap { summary -> RingKey? in
            let certificates = view.certificates[summary.name] ?? []
            guard let new = try? RingKey(summary, certificates: certificates, opened: opened) else {
                return nil
            }
            guard let same = known[summary.name], same.isSame(as: new) else { return new }
            return same
        }
        let snapshot = Snapshot(
            opened: old.opened,
            view: view,
            book: HostBook(view),
            keys: keys,
            epoch: old.epoch
        )
        return state.withLock { state in
            guard let open = state.open, open.snapshot.epoch == old.epoch else { return nil }
            let kept = Set(keys.map(ObjectIdentifier.init))
            for key in open.snapshot.keys where !kept.contains(ObjectIdentifier(key)) { key.wipe() }
            state.open?.snapshot = snapshot
            state.open?.narrowAdded()
            return snapshot
        }
    }

    /// Whether a snapshot belongs to the current opening of the vault, and is the newest one.
    func isCurrent(_ snapshot: Snapshot?) -> Bool {
        state.withLock { state in
            guard let snapshot, let newest = state.open?.snapshot else { return false }
            return newest.epoch == snapshot.epoch && newest.view.number == snapshot.view.number
        }
    }

    /// Returns the offered keys, first those of `ssh-add`; empty while locked.
    func offers() -> [Offer] {
        let now = BootTime.now()
        return state.withLock { state in
            state.lock == nil ? state.open?.offers(at: now).list ?? [] : []
        }
    }

    /// Returns the offered key with these bytes.
    func offer(of blob: [UInt8]) -> Offer? {
        let now = BootTime.now()
        return state.withLock { state in
            state.lock == nil ? state.open?.offers(at: now).byBlob[blob] : nil
        }
    }

    /// Returns the handle of a key in a security key; nil if the key was removed meanwhile, or cannot be read.
    func handle(of key: RingKey, in snapshot: Snapshot) -> PrivateKey? {
        let handle: PrivateKey?
        switch key.source {
        case .added: handle = key.handle
        case .vault(let name): handle = try? snapshot.vault.sshKeyAtOnce(name).key
        }
        guard let handle, handle.publicKey.isSameKey(as: key.publicKey), handle.isHandle,
            holds(key, in: snapshot)
        else { return nil }
        return handle
    }

    /// Whether a key may still sign: the same vault is open, and has it.
    func holds(_ key: RingKey, in snapshot: Snapshot) -> Bool {
        let now = BootTime.now()
        return state.withLock { state in
            guard state.lock == nil, let open = state.open else { return false }
            return open.snapshot.epoch == snapshot.epoch && open.has(key, at: now)
        }
    }

    /// Returns a key that is prepared for signing; nil if it was removed meanwhile, or cannot be read.
    func signer(of key: RingKey, in snapshot: Snapshot) -> PreparedKey? {
        var fresh: PreparedKey?
        if key.signer == nil, case .vault(let name) = key.source {
            guard let record = try? snapshot.vault.sshKeyAtOnce(name),
                record.publicKey.isSameKey(as: key.publicKey)
            else { return nil }
            fresh = try? PreparedKey(record.key)
        }
        let now = BootTime.now()
        return state.withLock { state in
            guard state.lock == nil, let open = state.open, open.snapshot.epoch == snapshot.epoch,
                open.has(key, at: now)
            else { return nil }
            if key.signer == nil, let fresh { key.keep(fresh) }
            return key.signer
        }
    }
}
