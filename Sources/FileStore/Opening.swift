internal import Files
internal import RecordStore
internal import VaultCrypto

/// The keys of a vault, and how they were found.
struct FoundKeys {
    let keys: VaultKeys
    /// Whether a person who had the previous vault key could have made the slot without its secret.
    let isCarried: Bool

    init(keys: VaultKeys, isCarried: Bool) {
        self.keys = keys
        self.isCarried = isCarried
    }

    /// Keys that were known without a slot.
    init(made keys: VaultKeys) { self.init(keys: keys, isCarried: false) }
}

/// The steps of opening a vault, in the order that the format prescribes.
struct Opening {
    private let paths: VaultPaths
    private let options: OpenOptions
    private let mode: Connection.Mode
    let connection: Connection

    /// Checks the paths, connects, and checks that the file is a vault.
    init(_ paths: VaultPaths, _ options: OpenOptions) throws(StoreError) {
        try PathChecks.vault(paths.vault)
        self.paths = paths
        self.options = options
        mode = try Self.mode(paths.vault, options)
        connection = try Connection(paths.vault, mode)
        // An old copy may be a vault with its log, and reading must change neither.
        if options.stale { try connection.direct { database throws(StoreError) in try database.keepLog() } }
    }

    /// Continues with the connection of a recent overview of this file; nil if it was not kept.
    init?(
        after overview: FileOverview?,
        _ paths: VaultPaths,
        _ options: OpenOptions
    ) throws(StoreError) {
        guard let kept = overview?.kept?.take(), kept.paths == paths, kept.mode == .queryOnly else {
            return nil
        }
        if !options.readOnly { try kept.connection.allowWrites() }
        self.paths = paths
        self.options = options
        mode = options.readOnly ? .queryOnly : .readWrite
        connection = kept.connection
    }

    /// Reads the public facts in one snapshot.
    func overview(keeping kept: KeptOpening? = nil) throws(StoreError) -> FileOverview {
        try connection.read { rows throws(StoreError) in
            let head = try rows.head()
            return FileOverview(
                vaultID: head.vaultID,
                epoch: head.epoch,
                slots: try rows.slots().rows.map { SlotOverview($0) },
                kept: kept
            )
        }
    }

    /// Derives the keys from the slots, opens the head, and compares it with the anchor.
    ///
    /// Deriving a key takes long, so it happens between two short transactions. The anchor is read before the head:
    /// otherwise, a commit of another process in between would look like a rollback.
    func open(
        _ entropy: Entropy,
        _ now: @escaping @Sendable () -> UInt64,
        keys: (Keyslots, HeadRow) throws(StoreError) -> FoundKeys
    ) throws(StoreError) -> FileStore {
        let (found, slots) = try connection.read { rows throws(StoreError) in
            (try rows.head(), try rows.slots())
        }
        let anchor = Anchor(path: paths.anchor(found.vaultID), vaultID: found.vaultID)
        let seen = try anchor.read()
        let opened = try keys(slots, found)
        let sealer = try Sealer(
            keys: opened.keys,
            vaultID: found.vaultID,
            epoch: found.epoch,
            entropy: entropy,
            now: now
        )
        let (text, floor) = try connection.read { rows throws(StoreError) in
            let row = try rows.head()
            let head = try sealer.observe(row)
            try sealer.check(rows.slots(), head)
            return (AnchorText(row, head), head.floor)
        }
        let further = options.furtherAnchor.flatMap { $0.vaultID == found.vaultID ? $0 : nil }
        var events = try judge(text, here: seen, further: further)
        // A person who had only the old key cannot make a slot that needs a secret.
        let newest = [seen, further].compactMap { $0?.position }.max()
        if opened.isCarried, let newest, newest.epoch < found.epoch {
            events.append(.keyReplaced(found: text.position, expected: newest))
        }
        let isOld = events.contains { if case .stale = $0 { true } else { false } }
        let store = FileStore(
            paths,
            anchor: anchor,
            isReadOnly: mode != .readWrite || isOld,
            session: .init(connection: connection, sealer: sealer),
            events: events,
            furtherAnchor: further,
            anchorFinding: seen.map { $0.position < text.position ? .raised : .matches } ?? .created
        )
        guard !options.acceptsRollback else { return store }
        // The file may be a copy of a vault that is still used elsewhere, so its keys must not encrypt messages before
        // they are renewed. If the last commit was a restore, nothing has been renewed since, and every record already
        // counts as restored.
        if events.contains(.anchorMissing), !store.isReadOnly, floor != text.position.generation {
            try store.acceptRollback()
        } else {
            store.raiseAnchor(text)
        }
        return store
    }

    /// Compares the head with the newest head seen on this machine or remembered elsewhere.
    ///
    /// The position remembered elsewhere may be behind, so it replaces a missing anchor only if it is not.
    private func judge(
        _ found: AnchorText,
        here: AnchorText?,
        further: AnchorText?
    ) throws(StoreError) -> [StoreEvent] {
        let anchors = [here, further].compactMap(\.self)
        let hasHistory = found.position.generation > 1 || found.position.epoch > 1
        if anchors.isEmpty, hasHistory, options.requireAnchor { throw .anchorRequired }
        for anchor in anchors.sorted(by: { $0.position > $1.position }) {
            do {
                try anchor.check(found.position, tag: found.tag)
            } catch {
                if options.acceptsRollback { return [] }
                guard options.stale else { throw error }
                return [.stale(found: found.position, expected: anchor.position)]
            }
        }
        let isMissing = here == nil && further?.position != found.position && hasHistory
        return isMissing ? [.anchorMissing] : []
    }

    /// On a read-only medium, a vault opens only if it has no log to replay.
    private static func mode(_ path: String, _ options: OpenOptions) throws(StoreError) -> Connection.Mode {
        if PathChecks.isWritable(path) { return options.readOnly ? .queryOnly : .readWrite }
        guard try FileFacts(path + "-wal")?.size ?? 0 == 0 else { throw .readOnlyWithLog }
        return .immutable
    }
}
