import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Testing
import VaultCrypto

/// Taking a vault over from another store, as often as it takes.
@Suite struct StoreAdoptTests {
    private static let vaultID = Array(repeating: UInt8(0xA5), count: 16)
    private static let position = Position(epoch: 3, generation: 40)

    /// A store with records of every form, one from before a restore.
    private static func source() throws -> MemoryStore {
        let source = MemoryStore(entropy: .seeded([9]), now: { 5_000 })
        for (kind, name, text) in [
            ("note", "a", "1"), ("note", "b", ""), ("password", "a", "2"), ("token", "é", ""),
            ("hsip.contact", "c", "3"),
        ] {
            var changes = ChangeSet(floor: 0)
            changes.put(
                RecordDraft(
                    id: try RecordID(kind, name),
                    label: text,
                    attributes: try Attributes(["host": name]),
                    expires: 9,
                    body: try Secret(copying: Array(text.utf8)),
                    created: 4_000
                ),
                expecting: 0
            )
            try source.commit(changes)
        }
        source.raiseFloor()
        try source.put(RecordID("note", "a"), "after")
        return source
    }

    private static func infos(_ store: any Store) throws -> [RecordInfo] {
        try store.read { reader throws(StoreError) in try reader.list(nil) }
    }

    /// A copy that counts.
    private func adopt(
        _ source: any Store,
        _ vault: StoreScratchKeyring,
        _ position: Position = Self.position
    ) throws -> SecretServiceStore {
        let copy = try copy(source, vault, position)
        try copy.claim()
        return copy
    }

    private func copy(
        _ source: any Store,
        _ vault: StoreScratchKeyring,
        _ position: Position = Self.position
    ) throws -> SecretServiceStore {
        try source.read { reader throws(StoreError) in
            try SecretServiceStore.adopt(
                reader,
                vaultID: Self.vaultID,
                named: "home",
                position: position,
                in: StoreFakeService.info,
                paths: vault.paths,
                items: vault.service,
                natives: vault.natives,
                entropy: vault.entropy,
                now: { StoreScratchKeyring.now }
            )
        }
    }

    private func check(_ store: SecretServiceStore, _ source: any Store, _ vault: StoreScratchKeyring) throws
    {
        try store.claim()
        let fresh = try vault.open(Self.vaultID, OpenOptions(requireAnchor: true))
        #expect(try Self.infos(fresh) == Self.infos(source))
        #expect(try StoreSeen.all(fresh) == StoreSeen.all(source))
        let status = try store.status()
        let floor = try source.read { $0.floor }
        #expect(status.position == Self.position && status.floor == floor)
        #expect(fresh.noted.isEmpty)
        let report = try fresh.verify()
        #expect(report.records == 5 && report.strays.isEmpty && report.differing.isEmpty)
        #expect(report.unpublished == 0 && vault.items("Secret").count == 1)
        #expect(throws: StoreError.conflict) { try fresh.commit(ChangeSet(floor: 0)) }
    }

    @Test func `every record comes over as it was`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        let store = try adopt(source, vault)
        try check(store, source, vault)
        #expect(try store.put(RecordID("note", "a"), "next") == 41)
        #expect(try vault.open(Self.vaultID).text(RecordID("note", "a")) == "next")
        try vault.logOut()
        #expect(try vault.open(Self.vaultID).put(RecordID("note", "a"), "later") > 41)
    }

    @Test(arguments: StoreFakeService.Point.allCases, [false, true])
    func `an interruption at any call costs nothing but another try`(
        point: StoreFakeService.Point,
        forGood: Bool
    ) throws {
        let source = try Self.source()
        var call = 0
        while true {
            call += 1
            let vault = try StoreScratchKeyring()
            vault.service.fail(.init(call: call, point: point, forGood: forGood))
            let first = Result { try adopt(source, vault) }
            guard vault.service.hasFailed else { break }
            vault.service.fail(nil)
            // Without its header it is no vault yet.
            if case .failure = first, !vault.items("Header").contains(where: { !$0.item.secret.isEmpty }) {
                #expect(throws: StoreError.notFound) { try vault.open(Self.vaultID) }
            }
            try check(adopt(source, vault), source, vault)
        }
        #expect(call > 10)
    }

    @Test func `what the keyring had of the vault before goes`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        _ = try adopt(source, vault)
        let copy = try #require(vault.items("Secret").first).item
        vault.service.tamper { $0["/org/freedesktop/secrets/collection/other/1"] = copy }
        // The same position: the mark of the first try goes on.
        try check(adopt(source, vault), source, vault)
    }

    @Test func `a vault that comes back is the newer one`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        let store = try adopt(source, vault)
        try store.claim()
        try store.put(RecordID("note", "gone"), "x")
        #expect(
            throws: StoreError.rollback(found: Self.position, expected: Position(epoch: 3, generation: 41))
        ) {
            try adopt(source, vault)
        }
        let later = try adopt(source, vault, Position(epoch: 4, generation: 1_000))
        try later.claim()
        #expect(try later.status().position == Position(epoch: 4, generation: 1_000))
        #expect(try Self.infos(vault.open(Self.vaultID)) == Self.infos(source))
    }

    @Test func `a record of a later revision than the position is refused`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        #expect(throws: StoreError.corrupt) { try adopt(source, vault, Position(epoch: 3, generation: 7)) }
        #expect(vault.items("Header").isEmpty)
    }

    private func anchor(_ vault: StoreScratchKeyring) -> Anchor {
        Anchor(path: vault.paths.anchor(Self.vaultID), vaultID: Self.vaultID)
    }

    @Test func `a copy counts once it is claimed`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        let copy = try copy(source, vault)
        #expect(try anchor(vault).read() == nil)
        try copy.claim()
        #expect(try anchor(vault).read()?.position == Self.position)
        #expect(try vault.open(Self.vaultID, OpenOptions(requireAnchor: true)).noted.isEmpty)
    }

    @Test(arguments: 1...6) func `what a stopped copy left goes without a trace`(call: Int) throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        vault.service.fail(.init(call: call, point: .torn))
        #expect(throws: StoreError.self) { try copy(source, vault) }
        vault.service.fail(nil)
        try SecretServiceStore.eraseUnfinished(vaultID: Self.vaultID, epoch: 3, service: vault.service)
        #expect(vault.service.items.isEmpty)
    }

    @Test func `a whole vault of another epoch is no leftover`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        let store = try adopt(source, vault)
        try SecretServiceStore.eraseUnfinished(vaultID: Self.vaultID, epoch: 4, service: vault.service)
        try check(store, source, vault)
        try SecretServiceStore.eraseUnfinished(vaultID: Self.vaultID, epoch: 3, service: vault.service)
        #expect(vault.service.items.isEmpty)
    }

    @Test func `a vault that is held is read, and its copy can be claimed meanwhile`() throws {
        let (vault, source) = (try StoreScratchKeyring(), try Self.source())
        let store = try adopt(source, vault)
        let later = Position(epoch: 4, generation: 41)
        let infos = try store.hold { reader, position throws(StoreError) in
            #expect(position == Self.position)
            let tag = [UInt8](repeating: 7, count: 16)
            try anchor(vault).raise(to: AnchorText(vaultID: Self.vaultID, position: later, tag: tag))
            return try reader.list(nil)
        }
        #expect(try infos == Self.infos(source))
        for act in [
            { try store.hold { _, _ in } },
            { _ = try store.put(RecordID("note", "a"), "too late") },
        ] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try act() }
            guard case .rollback(_, let expected) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(expected == later)
        }
    }
}
