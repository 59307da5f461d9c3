import Foundation
import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// Whatever another program does to the item of the root, the vault goes on from its copy.
@Suite struct RootCopyTests {
    /// What another program does to the root.
    enum Harm: CaseIterable {
        /// `secret-tool store name home vault ID` takes the place of an item with these attributes.
        case replaced
        case removed
        case emptied
        case overwritten

        func befall(_ vault: StoreScratchKeyring) throws {
            let path = try #require(vault.items("Header").first?.path)
            vault.service.tamper { items in
                switch self {
                case .replaced:
                    items[path]?.attributes["xdg:schema"] = nil
                    items[path]?.secret = Array("mine".utf8)
                case .removed: items[path] = nil
                case .emptied: items[path]?.secret = []
                case .overwritten: items[path]?.secret = Array("mine".utf8)
                }
            }
        }
    }

    private static func id(_ name: String = "a") throws -> RecordID { try RecordID("n", name) }

    private func copyPath(_ vault: StoreScratchKeyring, _ store: SecretServiceStore) -> String {
        vault.paths.rootCopy(store.vaultID)
    }

    @Test(arguments: Harm.allCases)
    func `a vault whose root another program took away opens as it was`(harm: Harm) throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        for number in 0..<3 { try store.put(Self.id("\(number)"), "text \(number)") }
        try harm.befall(vault)
        let opened = try vault.open(store.vaultID)
        #expect(opened.isPutBack && opened.noted.isEmpty)
        #expect(try opened.text(Self.id("2")) == "text 2")
        #expect(try opened.put(Self.id("3"), "text 3") == 5)
        #expect(try opened.verify().strays.isEmpty)
        #expect(try KeyringVault.exists(named: "home", besides: [], in: vault.service))
        #expect(try vault.open(store.vaultID).isPutBack == false)
    }

    @Test(arguments: Harm.allCases)
    func `a program that has the vault open goes on when the root is taken away`(harm: Harm) throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        try harm.befall(vault)
        #expect(try store.text(Self.id()) == "one")
        try harm.befall(vault)
        #expect(try store.put(Self.id(), "two") == 3)
        #expect(store.isPutBack)
        #expect(try vault.open(store.vaultID).text(Self.id()) == "two")
    }

    @Test func `a copy that is older than what was acknowledged is refused, and taken when it is asked for`()
        throws
    {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        let file = URL(filePath: copyPath(vault, store))
        let old = try Data(contentsOf: file)
        try store.put(Self.id(), "two")
        try old.write(to: file)
        try Harm.removed.befall(vault)
        let refusal = StoreError.rollback(
            found: Position(epoch: 1, generation: 2),
            expected: Position(epoch: 1, generation: 3)
        )
        #expect(throws: refusal) { try vault.open(store.vaultID) }
        #expect(vault.items("Header").isEmpty)
        var options = OpenOptions()
        options.acceptsRollback = true
        let opened = try vault.open(store.vaultID, options)
        try opened.acceptRollback()
        let again = try vault.open(store.vaultID)
        #expect(try again.text(Self.id()) == "one")
        #expect(try again.read { reader throws(StoreError) in reader.floor } == 4)
    }

    @Test func `without the key of the copy, or without the copy, the vault is not there`() throws {
        for lacksKey in [true, false] {
            let vault = try StoreScratchKeyring()
            let store = try vault.create()
            try store.put(Self.id(), "one")
            if lacksKey {
                let key = try #require(vault.items("RootKey").first?.path)
                vault.service.tamper { $0[key] = nil }
            } else {
                try FileManager.default.removeItem(atPath: copyPath(vault, store))
            }
            try Harm.removed.befall(vault)
            #expect(throws: StoreError.notFound) { try vault.open(store.vaultID) }
        }
    }

    @Test(arguments: ["00", "not a key", ""])
    func `an item that another program put in front of the copy's key keeps nothing from opening`(
        digits: String
    ) throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        let key = try #require(vault.items("RootKey").first)
        let other = key.path + "."
        vault.service.tamper { items in
            items[other] = items.removeValue(forKey: key.path)
            items[key.path] = items[other]
            items[key.path]?.attributes["hsip:called"] = "mine"
            items[key.path]?.secret = Array(String(repeating: digits, count: 32).utf8)
        }
        try Harm.removed.befall(vault)
        let opened = try vault.open(store.vaultID)
        #expect(opened.isPutBack)
        #expect(try opened.text(Self.id()) == "one")
        #expect(vault.items("Header").first?.item.attributes["name"] == "home")
    }

    @Test(arguments: ["/0", "/longer-than-all-others"])
    func `items with the text of the root are one root, whichever of them is written`(name: String) throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        let root = try #require(vault.items("Header").first?.item)
        vault.service.tamper { $0[StoreFakeService.collection + name] = root }
        let other = try vault.open(store.vaultID)
        try other.put(Self.id(), "two")
        #expect(try store.text(Self.id()) == "two")
        try store.put(Self.id(), "three")
        #expect(try other.text(Self.id()) == "three")
        #expect(try vault.open(store.vaultID).text(Self.id()) == "three")
        #expect(try store.verify().strays.count == 1)
        #expect(try store.setAside() == 1)
        #expect(vault.items("Header").count == 1 && vault.items("Aside").map(\.item.secret) == [root.secret])
        #expect(try vault.open(store.vaultID).text(Self.id()) == "three")
    }

    @Test func `of two roots at one place that one counts that was seen here, and without any none`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        let item = try #require(vault.items("Header").first?.item)
        var root = try #require(
            try Secret(copying: item.secret).withBytes { bytes throws(StoreError) in try Root(bytes) }
        )
        root.mark = [UInt8](repeating: 7, count: 16)
        let forged = try root.text().withBytes { $0.copied() }
        let path = StoreFakeService.collection + "/0"
        vault.service.tamper { items in
            items[path] = item
            items[path]?.secret = forged
        }
        #expect(try vault.open(store.vaultID).text(Self.id()) == "one")
        try FileManager.default.removeItem(atPath: vault.paths.anchor(store.vaultID))
        try FileManager.default.removeItem(atPath: vault.paths.lockFolder)
        #expect(throws: StoreError.tampered(.head)) { try vault.open(store.vaultID) }
        #expect(vault.items("Header").count == 2)
        try SecretServiceStore.setAside(vaultID: store.vaultID, items: vault.service)
        #expect(vault.items("Header").isEmpty && vault.items("Aside").count >= 2)
    }

    @Test func `the copy shows nothing of what it holds`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id("a-name"), "a secret text")
        let bytes = try Data(contentsOf: URL(filePath: copyPath(vault, store)))
        for text in ["hsip-vault", "a-name", "a secret text", "YSBzZWNyZXQgdGV4dA"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: copyPath(vault, store))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let key = try #require(vault.items("RootKey").first?.item)
        #expect(key.attributes["vault"] == nil && key.attributes["name"] == nil)
    }

    @Test func `a vault of before gets its copy with the next change`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        try FileManager.default.removeItem(atPath: copyPath(vault, store))
        let key = try #require(vault.items("RootKey").first?.path)
        vault.service.tamper { $0[key] = nil }
        try vault.open(store.vaultID).put(Self.id(), "two")
        try Harm.replaced.befall(vault)
        #expect(try vault.open(store.vaultID).text(Self.id()) == "two")
    }

    @Test func `a change is made also where no copy can be kept, and an old one does not stay`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        let path = copyPath(vault, store)
        let folder = path + ".new"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(try store.put(Self.id(), "two") == 3)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a vault that was erased does not come back`() throws {
        let vault = try StoreScratchKeyring()
        let store = try vault.create()
        try store.put(Self.id(), "one")
        try SecretServiceStore.erase(vaultID: store.vaultID, items: vault.service)
        #expect(vault.service.items.isEmpty)
        #expect(throws: StoreError.notFound) { try vault.open(store.vaultID) }
    }
}
