import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import VaultKit

/// What programs on the bus have of items, with the verdict that the agent gives to each.
struct BusItemTests {
    private let fixture = ItemVault()

    @Test func `a program has its own items without a question, and no other has them`() async throws {
        let id = try await fixture.store("v", ["user": "joe"]).place.id
        #expect(try await fixture.value(id) == "v")
        #expect(try await fixture.found(["user": "joe"]).open == [id])
        #expect(try await fixture.value(id, by: ItemVault.browser) == nil)
        #expect(try await fixture.found(by: ItemVault.browser).asked == [id])
        #expect(try await fixture.value(id, by: ItemVault.browser, yes: true) == "v")
        let views = try await fixture.call(Operations.itemFacts, [id], by: ItemVault.browser)
        #expect(views.map(\.isOpen) == [false] && views.first?.details == nil && views.first?.label == "L")
    }

    @Test func `what had to be asked about is left out where the call does not wait`() async throws {
        let (mine, other) = (
            try await fixture.store("1", ["n": "1"]).place.id,
            try await fixture.store("2", ["n": "2"], by: ItemVault.browser).place.id
        )
        let reading = ItemReading([other, mine, "none", mine], holds: false)
        let values = try await fixture.call(Operations.itemGet, reading, by: ItemVault.git, yes: true)
        #expect(try values.values().map(\.place.id) == [mine])
        let both = try await fixture.call(
            Operations.itemGet,
            ItemReading([other, mine]),
            by: ItemVault.git,
            yes: true
        )
        #expect(try both.values().map(\.place.id) == [other, mine])
    }

    @Test func `nothing leaves without a permit, whatever the policy would say`() async throws {
        let id = try await fixture.store("v", [:]).place.id
        let access = BusAccess(ItemVault.git, policy: Policy(owner: 1_000), time: 0, moment: 0, permitted: [])
        let caller = Caller.bus(access)
        let values = try await fixture.vault.perform(Operations.itemGet, for: caller, ItemReading([id]))
        #expect(try values.values().isEmpty)
        #expect(try await fixture.vault.perform(Operations.itemGrant, for: caller, [id]).isEmpty)
        await #expect(throws: VaultError.item(.changedMeanwhile)) {
            _ = try await fixture.vault.perform(Operations.removeItem, for: caller, [id])
        }
        await #expect(throws: VaultError.item(.changedMeanwhile)) {
            let making = try making("w", [:], replacing: true)
            _ = try await fixture.vault.perform(Operations.makeItem, for: caller, making)
        }
        await #expect(throws: VaultError.item(.changedMeanwhile)) {
            _ = try await fixture.vault.perform(Operations.itemApplicationKey, for: caller, "org.example.App")
        }
        #expect(try await fixture.value(id) == "v")
    }

    @Test func `a lasting yes makes a program the owner of nobody's item and a reader of another's`()
        async throws
    {
        let nobodys = try await fixture.own(Operations.makeItem, making("n", [:])).place.id
        let other = try await fixture.store("o", ["o": "1"], by: ItemVault.browser).place.id
        let program = try #require(ProgramIdentity("/usr/bin/git"))
        #expect(try await fixture.vault.admit(program, to: [nobodys, other, "none"]) == [nobodys, other])
        let details = try await fixture.own.itemViews([nobodys, other]).map(\.details)
        #expect(details.map { $0?.owner?.text } == ["/usr/bin/git", "/usr/bin/browser"])
        #expect(details.map { $0?.readers } == [[], [program]])
        #expect(try await fixture.value(nobodys) == "n")
        #expect(try await fixture.value(other) == "o")
        #expect(Set(try await fixture.found().open) == [nobodys, other])
    }

    @Test func `a yes for good, another end and the trash leave the order in which items are found`()
        async throws
    {
        let older = try await fixture.store("old", ["user": "joe", "n": "1"]).place.id
        fixture.clock.advance(by: 10)
        let newer = try await fixture.store("new", ["user": "joe", "n": "2"]).place.id
        let modified = try await fixture.own.itemViews([older]).map(\.modified)
        func order() async throws -> [String] { try await fixture.found(["user": "joe"]).open }
        #expect(try await order() == [newer, older])
        fixture.clock.advance(by: 10)
        let program = try #require(ProgramIdentity("/usr/bin/browser"))
        #expect(try await fixture.vault.admit(program, to: [older]) == [older])
        var change = ItemChange()
        change.expires = fixture.clock.now + 1_000
        _ = try await fixture.own(Operations.setItem, [older], change)
        _ = try await fixture.own(Operations.removeItem, [older])
        _ = try await fixture.own(Operations.restoreItem, [older])
        #expect(try await order() == [newer, older])
        #expect(try await fixture.own.itemViews([older]).map(\.modified) == modified)
        // A label, attributes or a value do change it.
        for text in ["label", "value"] {
            for id in [older, newer] {
                fixture.clock.advance(by: 10)
                var change = ItemChange()
                if text == "label" { change.label = "\(text) \(id)" }
                if text == "value" { change.value = try Secret(copying: Array("\(text) \(id)".utf8)) }
                _ = try await fixture.own(Operations.setItem, [id], change)
                #expect(try await order().first == id)
                #expect(try await fixture.own.itemViews([id]).map(\.modified) == [fixture.clock.now])
            }
        }
    }

    @Test func `a program that cannot be told hears of items that it may have made that they are locked`()
        async throws
    {
        let id = try await fixture.store("token", ["user": "joe"]).place.id
        for _ in 0..<2 {
            await #expect(throws: VaultError.store(.locked)) {
                _ = try await fixture.found(["user": "joe"], by: ItemVault.unknown)
            }
        }
        await #expect(throws: VaultError.store(.locked)) {
            try await fixture.store("other", ["user": "joe"], replacing: true, by: ItemVault.unknown)
        }
        #expect(try await fixture.value(id) == "token")
        // What is not there is not there, and a look at everything tells nothing.
        #expect(try await fixture.found(["user": "jim"], by: ItemVault.unknown) == ([], []))
        #expect(try await fixture.found(by: ItemVault.unknown) == ([], []))
        // Nobody's is found as before, beside what is hidden.
        let nobodys = try await fixture.store("n", ["user": "joe", "n": "1"], by: ItemVault.unknown).place.id
        #expect(try await fixture.found(["user": "joe"], by: ItemVault.unknown) == ([], [nobodys]))
    }

    @Test func `storing again replaces the program's own item and no more than equal attributes`()
        async throws
    {
        let first = try await fixture.store("1", ["user": "joe", "server": "a"]).place.id
        let near = try await fixture.store("2", ["user": "joe"], replacing: true)
        #expect(near.isNew)
        let again = try await fixture.store(
            "3",
            ["user": "joe", "server": "a"],
            label: "New",
            replacing: true
        )
        #expect(!again.isNew && again.place.id == first)
        #expect(try await fixture.value(first) == "3")
        let usual = ["user": "joe", "xdg:schema": "org.freedesktop.Secret.Generic"]
        #expect(try await fixture.store("4", usual, replacing: true).place.id == near.place.id)
        #expect(try await fixture.store("5", usual).isNew)
    }

    @Test func `another program's item is replaced only after a yes, and is then not its maker's any more`()
        async throws
    {
        let id = try await fixture.store("1", ["a": "b"], by: ItemVault.browser).place.id
        await #expect(throws: ItemVault.Refused.self) {
            try await fixture.store("2", ["a": "b"], replacing: true)
        }
        let made = try await fixture.store("2", ["a": "b"], replacing: true, yes: true)
        #expect(made.place.id == id)
        #expect(try await fixture.own.itemViews([id]).first?.details?.owner?.text == "/usr/bin/git")
        #expect(try await fixture.value(id) == "2")
        #expect(try await fixture.value(id, by: ItemVault.browser) == nil)
    }

    @Test func `a tool that anybody can run is asked, but not the process that stored the value`()
        async throws
    {
        let id = try await fixture.store("v", [:], by: ItemVault.python).place.id
        #expect(try await fixture.value(id, by: ItemVault.python) == "v")
        let another = ItemVault.program("/usr/bin/python3", pid: 8)
        let reused = ItemVault.program("/usr/bin/python3", pid: 7, start: 2)
        #expect(try await fixture.value(id, by: another) == nil)
        #expect(try await fixture.value(id, by: reused) == nil)
        #expect(try await fixture.value(id, by: another, yes: true) == "v")
        let python = try #require(ProgramIdentity("/usr/bin/python3"))
        #expect(try await fixture.vault.admit(python, to: [id]) == [id])
        #expect(try await fixture.value(id, by: another) == "v")
        let nobodys = try await fixture.own(Operations.makeItem, making("n", ["n": "1"])).place.id
        #expect(try await fixture.vault.admit(python, to: [nobodys]) == [nobodys])
        #expect(try await fixture.value(nobodys, by: another) == "n")
    }

    @Test
    func `a sandboxed program sees its own and what it was granted, one that is not known what is nobody's`()
        async throws
    {
        let other = try await fixture.store("o", ["k": "1"]).place.id
        let mine = try await fixture.store("m", ["k": "2"], by: ItemVault.flatpak).place.id
        let nobodys = try await fixture.store("n", ["k": "3"], by: ItemVault.unknown).place.id
        let seen = try await fixture.found(by: ItemVault.flatpak)
        #expect(seen.open == [mine] && seen.asked == [])
        let unknown = try await fixture.found(by: ItemVault.unknown)
        #expect(unknown.open == [] && unknown.asked == [nobodys])
        for id in [other, nobodys] {
            #expect(try await fixture.call(Operations.itemFacts, [id], by: ItemVault.flatpak).isEmpty)
            #expect(try await fixture.value(id, by: ItemVault.flatpak, yes: true) == nil)
            await #expect(throws: VaultError.item(.unknownItem)) {
                _ = try await fixture.call(Operations.removeItem, [id], by: ItemVault.flatpak, yes: true)
            }
        }
        // What it does not see it does not replace: that would tell that it is there.
        #expect(try await fixture.store("x", ["k": "1"], replacing: true, by: ItemVault.flatpak).isNew)
        #expect(try await fixture.value(other) == "o")
    }

    @Test(arguments: ["value", "label", "elsewhere"])
    func `what another process changed is no longer the own value of the one that stored it`(by way: String)
        async throws
    {
        let id = try await fixture.store("v", ["a": "1"], by: ItemVault.python).place.id
        let other = ItemVault.program("/usr/bin/python3", pid: 8)
        var change = ItemChange()
        change.label = "mine"
        _ = try await fixture.call(Operations.setItem, [id], change, by: ItemVault.python)
        #expect(try await fixture.value(id, by: ItemVault.python) == "v")
        change.label = "theirs"
        if way != "label" { change.value = try Secret(copying: Array("w".utf8)) }
        if way == "elsewhere" {
            let vault = Vault(store: fixture.store, clock: { [fixture] in fixture.clock.now })
            _ = try await LocalService(vault)(Operations.setItem, [id], change)
        } else {
            _ = try await fixture.call(Operations.setItem, [id], change, by: other, yes: true)
        }
        #expect(try await fixture.value(id, by: ItemVault.python) == nil)
        #expect(try await fixture.found(["a": "1"], by: ItemVault.python).asked == [id])
        if way == "value" { #expect(try await fixture.value(id, by: other) == "w") }
        // A yes for good to another program changes nothing about it.
        _ = try await fixture.store("again", ["a": "1"], replacing: true, by: ItemVault.python, yes: true)
        let browser = try #require(ItemVault.browser.bus?.identity)
        #expect(try await fixture.vault.admit(browser, to: [id]) == [id])
        #expect(try await fixture.value(id, by: ItemVault.python) == "again")
    }

    @Test func `a program that a rule refuses sees nothing`() async throws {
        let id = try await fixture.store("v", [:]).place.id
        var rule = Rule(name: "never", effect: .deny)
        (rule.kind, rule.program) = (.item, "/usr/bin/git")
        let found = try await fixture.found(rules: [rule])
        #expect(found.open.isEmpty && found.asked.isEmpty)
        #expect(try await fixture.value(id, yes: true, rules: [rule]) == nil)
        #expect(try await fixture.found().open == [id])
    }

    @Test func `an item past its end is asked about, its own program's, too`() async throws {
        let id = try await fixture.store("v", [:]).place.id
        var change = ItemChange()
        change.expires = fixture.clock.now + 60
        _ = try await fixture.own(Operations.setItem, [id], change)
        #expect(try await fixture.value(id) == "v")
        fixture.clock.advance(by: 60)
        #expect(try await fixture.value(id) == nil)
        #expect(try await fixture.value(id, yes: true) == "v")
    }

    @Test func `a closed collection is closed for every program until it is opened with a yes`() async throws
    {
        let id = try await fixture.store("v", [:]).place.id
        #expect(try await fixture.call(Operations.closeCollection, "login", by: ItemVault.browser))
        #expect(try await fixture.found().asked == [id])
        #expect(try await fixture.value(id, yes: true) == nil)
        await #expect(throws: VaultError.item(.closed)) { try await fixture.store("w", ["a": "b"]) }
        await #expect(throws: VaultError.item(.closed)) {
            _ = try await fixture.call(Operations.removeItem, [id], by: ItemVault.git)
        }
        await #expect(throws: ItemVault.Refused.self) {
            _ = try await fixture.call(Operations.openCollection, "login", by: ItemVault.git)
        }
        #expect(try await fixture.own.itemValues(ItemReading([id])).count == 1)
        _ = try await fixture.call(Operations.openCollection, "login", by: ItemVault.git, yes: true)
        #expect(try await fixture.value(id) == "v")
    }

    @Test func `the alias and the end of a collection are asked about, unless nothing is in it`() async throws
    {
        let made = try await fixture.call(
            Operations.setCollection,
            CollectionChange(label: "Work"),
            by: ItemVault.git
        )
        await #expect(throws: ItemVault.Refused.self) {
            let change = CollectionChange(id: made.id, becomesDefault: true)
            _ = try await fixture.call(Operations.setCollection, change, by: ItemVault.git)
        }
        try await fixture.store("v", [:], in: made.id)
        await #expect(throws: ItemVault.Refused.self) {
            _ = try await fixture.call(Operations.removeCollection, made.id, by: ItemVault.git)
        }
        _ = try await fixture.call(Operations.removeCollection, made.id, by: ItemVault.git, yes: true)
        #expect(try await fixture.found().open.isEmpty)
        let empty = try await fixture.call(
            Operations.setCollection,
            CollectionChange(label: "Empty"),
            by: ItemVault.git
        )
        _ = try await fixture.call(Operations.removeCollection, empty.id, by: ItemVault.git)
    }

    @Test func `what only people do is refused to a program`() async throws {
        let id = try await fixture.store("v", [:]).place.id
        var change = ItemChange()
        change.expires = 1
        let ending = change
        await #expect(throws: VaultError.item(.onlyByPeople)) {
            _ = try await fixture.call(Operations.setItem, [id], ending, by: ItemVault.git)
        }
        await #expect(throws: VaultError.item(.onlyByPeople)) {
            _ = try await fixture.call(Operations.itemSearch, ItemSearch(inTrash: true), by: ItemVault.git)
        }
        await #expect(throws: VaultError.item(.onlyByPeople)) {
            _ = try await fixture.call(Operations.itemGet, ItemReading([id], version: 1), by: ItemVault.git)
        }
        let forPeople = OperationTable.all.filter { $0.items?.isForBus == false }.map(\.name)
        #expect(
            Set(forPeople) == [
                "item.access", "item.restore", "item.import", "item.import-trial", "item.versions",
            ]
        )
    }

    @Test func `an operation says how it uses items exactly if its name begins with item`() {
        for operation in OperationTable.all {
            #expect((operation.items != nil) == operation.name.hasPrefix("item."), "\(operation.name)")
        }
        let looks = OperationTable.all.filter { $0.items?.isChange == false }.map(\.name)
        #expect(
            Set(looks) == [
                "item.collections", "item.search", "item.facts", "item.versions", "item.grant", "item.get",
                "item.import-trial",
            ]
        )
    }

    @Test func `the key of an application is made once, and is that of GNOME Keyring where it has one`()
        async throws
    {
        func key(_ application: String, yes: Bool = false) async throws -> [UInt8] {
            try await fixture.call(Operations.itemApplicationKey, application, by: ItemVault.git, yes: yes)
                .withBytes { $0.copied() }
        }
        let first = try await key("org.example.App")
        #expect(first.count == 64)
        #expect(try await key("org.example.App") == first)
        #expect(try await key("org.example.Other") != first)
        await #expect(throws: ItemVault.Refused.self) { _ = try await key("") }
        #expect(try await key("", yes: true).count == 64)
        _ = try await fixture.own(Operations.makeItem, making("kept", ["app_id": "org.gnome.Old"]))
        #expect(try await key("org.gnome.Old") == Array("kept".utf8))
        // What is nobody's and came later stands in for neither.
        fixture.clock.advance(by: 60)
        for application in ["org.gnome.Old", "org.example.App"] {
            _ = try await fixture.own(Operations.makeItem, making("planted", ["app_id": application]))
        }
        #expect(try await key("org.gnome.Old") == Array("kept".utf8))
        #expect(try await key("org.example.App") == first)
        #expect(try await fixture.found(by: ItemVault.program("flatpak:org.example.App")).open.count == 1)
        // What another program puts there is not taken for a key.
        try await fixture.store("planted", ["app_id": "org.example.Victim"], by: ItemVault.browser)
        #expect(try await key("org.example.Victim").count == 64)
    }

    @Test func `a program that is not known leaves nothing that passes for an application's key`()
        async throws
    {
        let planted = ["app_id": "org.example.Victim"]
        let portal = planted.merging(["xdg:schema": "org.freedesktop.portal.Secret"]) { first, _ in first }
        for attributes in [planted, portal] {
            await #expect(throws: VaultError.item(.onlyByPeople)) {
                try await fixture.store("planted", attributes, by: ItemVault.unknown)
            }
        }
        // Nor by a change of what it made, whatever a person says.
        let id = try await fixture.store("planted", ["n": "1"], by: ItemVault.unknown).place.id
        var change = ItemChange()
        change.attributes = try ItemAttributes(
            [.init(name: Array("app_id".utf8), value: Array("x.y".utf8))]
        )
        await #expect(throws: VaultError.item(.onlyByPeople)) {
            _ = try await fixture.call(Operations.setItem, [id], change, by: ItemVault.unknown, yes: true)
        }
        try await fixture.store("v", ["app_id": "x.y", "n": "1"], by: ItemVault.unknown)
        let victim = "org.example.Victim"
        let key = try await fixture.call(Operations.itemApplicationKey, victim, by: ItemVault.git)
        #expect(key.withBytes { $0.byteCount } == 64)
    }

    @Test func `entries of the log name the item, its owner and the program`() async throws {
        let id = try await fixture.store("v", [:], label: "Mail").place.id
        let request = Operations.itemGet.request(ItemReading([id]))
        let act = try #require(try await fixture.vault.itemActs(of: request, by: ItemVault.browser).first)
        let entry = AuditEntry(act, by: ItemVault.browser, request.audit)
        #expect(entry.kind == .read && entry.act == "item.get" && entry.subject == "Mail (\(id))")
        #expect(entry.target == "/usr/bin/git" && entry.program == "/usr/bin/browser" && entry.process == 7)
        #expect(request.entry(besides: [act], by: ItemVault.browser) == nil)
        let removal = Operations.removeItem.request([id])
        #expect(removal.entry(besides: [], by: ItemVault.git)?.kind == .change)
        let changed = try await fixture.vault.itemActs(of: removal, by: ItemVault.git)
        #expect(changed.map { AuditEntry($0, by: ItemVault.git, removal.audit).kind } == [.change])
        #expect(removal.entry(besides: changed, by: ItemVault.git) == nil)
    }
}
