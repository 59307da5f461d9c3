import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Testing
import VaultCrypto

/// A commit that is cut off at every one of its calls, in every way: before or after, never between.
@Suite struct StoreFaultTests {
    /// A kind of commit.
    struct Act: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Whether it needs a vault that has pages.
        let isPaged: Bool
        let changes: @Sendable ([String: Revision]) throws -> [Change]

        init(
            _ name: String,
            isPaged: Bool = false,
            _ changes: @escaping @Sendable ([String: Revision]) throws -> [Change]
        ) {
            testDescription = name
            self.isPaged = isPaged
            self.changes = changes
        }
    }

    private static func put(_ kind: String, _ name: String, _ text: String, label: String = "") throws
        -> RecordDraft
    {
        RecordDraft(
            id: try RecordID(kind, name),
            label: label,
            attributes: try Attributes(["host": label.isEmpty ? "old" : label]),
            body: try Secret(copying: Array(text.utf8))
        )
    }

    static let acts: [Act] = [
        Act("a new record") { _ in [.put(try put("note", "new", "x"), expecting: 0)] },
        Act("a new password") { _ in [.put(try put("password", "new", "x"), expecting: 0)] },
        Act("a new password of no length") { _ in [.put(try put("password", "new", ""), expecting: 0)] },
        Act("a record written over") { [.put(try put("note", "a", "2"), expecting: $0["note/a"] ?? 0)] },
        Act("a record written over and labelled anew") {
            [.put(try put("note", "a", "2", label: "L"), expecting: $0["note/a"] ?? 0)]
        },
        Act("a password written over") {
            [.put(try put("password", "a", "2"), expecting: $0["password/a"] ?? 0)]
        },
        Act("a password that is no text any more") {
            var draft = try put("password", "a", "")
            draft.body = try Secret(copying: [0xFF, 0])
            return [.put(draft, expecting: $0["password/a"] ?? 0)]
        },
        Act("a long record") { _ in
            [.put(try put("note", "new", String(repeating: "x", count: 9_000)), expecting: 0)]
        },
        Act("a long record written over", isPaged: true) {
            [.put(try put("note", "c", String(repeating: "y", count: 9_000)), expecting: $0["note/c"] ?? 0)]
        },
        Act("a long record deleted", isPaged: true) {
            [.delete(try RecordID("note", "c"), expecting: $0["note/c"])]
        },
        Act("so many changes that pages are made anew", isPaged: true) { _ in
            try (0..<6).map {
                .put(try put("q", "\($0)", String(repeating: "z", count: 7_000)), expecting: 0)
            }
        },
        Act("a record deleted") { [.delete(try RecordID("note", "a"), expecting: $0["note/a"])] },
        Act("a password deleted") { _ in [.delete(try RecordID("password", "a"), expecting: nil)] },
        Act("several changes") {
            [
                .put(try put("note", "a", "2", label: "L"), expecting: $0["note/a"] ?? 0),
                .put(try put("note", "new", "3"), expecting: 0),
                .put(try put("password", "a", "4"), expecting: $0["password/a"] ?? 0),
                .put(try put("password", "new", "5"), expecting: 0),
                .delete(try RecordID("note", "b"), expecting: $0["note/b"]),
                .delete(try RecordID("token", "b"), expecting: nil),
            ]
        },
    ]

    /// A vault with two notes, a password and a token; where it is paged also a note with a page of its own, and pages
    /// of others.
    private static func vault(isPaged: Bool) throws -> (StoreScratchKeyring, SecretServiceStore) {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        if isPaged {
            var many = try (0..<6).map {
                Change.put(try put("p", "\($0)", String(repeating: "z", count: 7_000)), expecting: 0)
            }
            many.append(.put(try put("note", "c", String(repeating: "x", count: 9_000)), expecting: 0))
            try store.commit(ChangeSet(floor: 0, changes: many))
        }
        for (kind, name) in [("note", "a"), ("note", "b"), ("password", "a"), ("token", "b")] {
            let changes = ChangeSet(
                floor: 0,
                changes: [.put(try put(kind, name, "1"), expecting: 0)]
            )
            try store.commit(changes)
        }
        return (vault, store)
    }

    private static func changes(_ act: Act, _ store: any Store) throws -> ChangeSet {
        let revisions = try store.read { reader throws(StoreError) in try reader.list(nil) }
        return ChangeSet(
            floor: 0,
            changes: try act.changes(
                Dictionary(uniqueKeysWithValues: revisions.map { ($0.id.description, $0.revision) })
            )
        )
    }

    /// What the act does when nothing fails, but for the identities that are made on the way.
    private static func outcome(_ act: Act) throws -> (before: Set<StoreSeen>, after: Set<StoreSeen>) {
        let (vault, store) = try vault(isPaged: act.isPaged)
        defer { withExtendedLifetime(vault) {} }
        let before = try StoreSeen.all(store)
        try store.commit(changes(act, store))
        return (anonymous(before), anonymous(try StoreSeen.all(store)))
    }

    private static func anonymous(_ seen: Set<StoreSeen>) -> Set<StoreSeen> {
        Set(seen.map { $0.anonymous })
    }

    /// Lets the act fail at call after call until none is left to fail.
    private func tryEverywhere(
        _ act: Act,
        _ fault: StoreFakeService.Fault,
        beforehand: (StoreScratchKeyring) throws -> Void = { _ in },
        afterwards: (StoreScratchKeyring, SecretServiceStore) throws -> SecretServiceStore
    ) throws {
        let (before, after) = try Self.outcome(act)
        var fault = fault
        var ends: [Bool: Int] = [:]
        fault.call = 0
        while true {
            fault.call += 1
            let (vault, store) = try Self.vault(isPaged: act.isPaged)
            let changes = try Self.changes(act, store)
            try beforehand(vault)
            vault.service.fail(fault)
            var error: StoreError?
            do throws(StoreError) { try store.commit(changes) } catch let failure { error = failure }
            let isOver = !vault.service.hasFailed
            vault.service.fail(nil)

            let fresh = try afterwards(vault, store)
            let seen = Self.anonymous(try StoreSeen.all(fresh))
            switch error {
            case nil: #expect(seen == after, "call \(fault.call)")
            case .commitUnknown?: #expect(seen == before || seen == after, "call \(fault.call)")
            default: #expect(seen == before, "call \(fault.call), \(String(describing: error))")
            }
            ends[seen == after, default: 0] += 1
            // It works on, and nothing is left beside the records.
            try fresh.put(try RecordID("note", "next"), "n")
            let report = try vault.open(store.vaultID).verify()
            #expect(report.records == seen.count + 1 && report.strays.isEmpty, "call \(fault.call)")
            #expect(report.differing.isEmpty && report.unpublished == 0, "call \(fault.call)")
            if isOver { break }
        }
        // Both ends were seen, else no call was made to fail.
        #expect(ends.count == 2 && fault.call > 2)
    }

    @Test(arguments: acts, StoreFakeService.Point.allCases)
    func `one call that fails leaves all or nothing`(act: Act, point: StoreFakeService.Point) throws {
        try tryEverywhere(act, .init(call: 0, point: point)) { vault, store in
            try vault.open(store.vaultID)
        }
    }

    @Test(arguments: acts, StoreFakeService.Point.allCases)
    func `a service that dies leaves all or nothing`(act: Act, point: StoreFakeService.Point) throws {
        try tryEverywhere(act, .init(call: 0, point: point, forGood: true)) { vault, store in
            try vault.open(store.vaultID)
        }
    }

    @Test(arguments: acts, StoreFakeService.Point.allCases)
    func `a service that dies with the login leaves all or nothing`(
        act: Act,
        point: StoreFakeService.Point
    ) throws {
        try tryEverywhere(act, .init(call: 0, point: point, forGood: true)) { vault, store in
            try vault.logOut()
            return try vault.open(store.vaultID)
        }
    }

    @Test(arguments: acts, StoreFakeService.Point.allCases)
    func `the same store goes on after a service that died`(
        act: Act,
        point: StoreFakeService.Point
    ) throws {
        try tryEverywhere(
            act,
            .init(call: 0, point: point, error: .keyringTimeout, forGood: true)
        ) { _, store in store }
    }

    @Test(arguments: acts, StoreFakeService.Point.allCases)
    func `the first commit of a login, which looks for leftovers, leaves all or nothing`(
        act: Act,
        point: StoreFakeService.Point
    ) throws {
        for forGood in [false, true] {
            try tryEverywhere(act, .init(call: 0, point: point, forGood: forGood)) { vault in
                try vault.logOut()
            } afterwards: { vault, store in
                try vault.open(store.vaultID)
            }
        }
    }

    @Test(arguments: StoreFakeService.Point.allCases)
    func `a recovery that is cut off is taken up again`(point: StoreFakeService.Point) throws {
        let act = try #require(Self.acts.last)
        let (before, after) = try Self.outcome(act)
        for call in 3...9 {
            for next in 1...40 {
                let (vault, store) = try Self.vault(isPaged: act.isPaged)
                let changes = try Self.changes(act, store)
                vault.service.fail(.init(call: call, point: point, forGood: true))
                _ = try? store.commit(changes)
                vault.service.fail(.init(call: next, point: point, forGood: true))
                _ = try? vault.open(store.vaultID)
                let isOver = !vault.service.hasFailed
                vault.service.fail(nil)
                let seen = Self.anonymous(try StoreSeen.all(vault.open(store.vaultID)))
                #expect(seen == before || seen == after, "calls \(call) and \(next)")
                let report = try vault.open(store.vaultID).verify()
                #expect(report.strays.isEmpty && report.differing.isEmpty && report.unpublished == 0)
                if isOver { break }
            }
        }
    }

    @Test(arguments: StoreFakeService.Point.allCases, [false, true])
    func `a floor is raised, or it is not`(point: StoreFakeService.Point, forGood: Bool) throws {
        var (call, risen) = (0, Set<Bool>())
        while true {
            call += 1
            let (vault, store) = try Self.vault(isPaged: true)
            let seen = try StoreSeen.all(store)
            vault.service.fail(.init(call: call, point: point, forGood: forGood))
            try? store.acceptRollback()
            let isOver = !vault.service.hasFailed
            vault.service.fail(nil)
            let fresh = try vault.open(store.vaultID)
            let infos = try fresh.read { reader throws(StoreError) in try reader.list(nil) }
            #expect(Set(infos.map(\.predatesRestore)).count == 1 && infos.count == 11)
            risen.insert(infos[0].predatesRestore)
            #expect(try StoreSeen.all(fresh) == seen)
            var changes = ChangeSet(floor: try fresh.read { $0.floor })
            changes.delete(infos[0].id, expecting: infos[0].revision)
            try fresh.commit(changes)
            if isOver { break }
        }
        #expect(risen.count == 2)
    }

    @Test(arguments: StoreFakeService.Point.allCases)
    func `a vault is made whole, or nothing of it stays`(point: StoreFakeService.Point) throws {
        var call = 0
        while true {
            call += 1
            let vault = try StoreScratchKeyring()
            vault.service.fail(.init(call: call, point: point))
            let made = try? vault.create()
            guard vault.service.hasFailed else { break }
            #expect(made != nil || vault.service.items.isEmpty, "call \(call)")
            try vault.create().put(try RecordID("n", "a"), "x")
        }
        #expect(call > 2)
    }

    @Test(arguments: StoreFakeService.Point.allCases)
    func `a vault that is half removed is none, and can be removed again`(
        point: StoreFakeService.Point
    ) throws {
        var call = 0
        while true {
            call += 1
            let (vault, store) = try Self.vault(isPaged: true)
            vault.service.fail(.init(call: call, point: point, forGood: true))
            try? SecretServiceStore.erase(vaultID: store.vaultID, items: vault.service)
            let isOver = !vault.service.hasFailed
            vault.service.fail(nil)
            if vault.items("Page").count < 3 {
                #expect(throws: StoreError.notFound) { try vault.open(store.vaultID) }
            }
            try SecretServiceStore.erase(vaultID: store.vaultID, items: vault.service)
            #expect(vault.service.items.isEmpty)
            if isOver { break }
        }
    }

    @Test(arguments: acts)
    func `a collection that locks itself in the middle is unlocked again`(act: Act) throws {
        let (before, after) = try Self.outcome(act)
        for call in 1...60 {
            let (vault, store) = try Self.vault(isPaged: act.isPaged)
            defer { withExtendedLifetime(vault) {} }
            let changes = try Self.changes(act, store)
            vault.service.fail(.init(call: call, point: .before, error: .keyringLocked))
            var error: StoreError?
            do throws(StoreError) { try store.commit(changes) } catch let failure { error = failure }
            guard vault.service.hasFailed else { return }
            let seen = Self.anonymous(try StoreSeen.all(vault.open(store.vaultID)))
            #expect(
                error == nil ? seen == after : error == .commitUnknown && (seen == before || seen == after)
            )
        }
        Issue.record("sixty calls are too many")
    }
}

extension StoreSeen {
    /// The same without the identity.
    var anonymous: StoreSeen {
        StoreSeen(id: id, uid: [], label: label, attributes: attributes, body: body)
    }
}
