import Foundation
import KeyringFake
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

/// A damaged vault in the keyring: what can be read is saved, nothing else, and the keyring stays as it is.
@Suite struct KeyringSalvageTests {
    private static func names(_ names: SalvageReport.Names) -> [String] { names.told.map(\.id.description) }

    @Test func `of a sound vault everything is saved, above what was seen, and predates a restore`() throws {
        let scene = try StoreSalvageScene(hasHistory: true)
        let salvage = try scene.salvage()
        #expect(salvage.versions == scene.present && salvage.told.isComplete)
        #expect(salvage.damagedItems.isEmpty && !salvage.isFromCopy)
        let position = try scene.store.status().position
        #expect(salvage.position == position)
        #expect(try salvage.next() == Position(epoch: 1, generation: position.generation + 1))
        let reader = try salvage.reader()
        #expect(reader.floor == position.generation + 1 && reader.generation == reader.floor)
        #expect(try reader.list(RecordKind("a")).map(\.id.name) == ["0", "1", "2", "3"])
        #expect(scene.vault.service.items == scene.states.last)
    }

    @Test func `a page that is gone costs its records alone, of which the first and the last are named`()
        throws
    {
        let scene = try StoreSalvageScene()
        let page = try scene.vault.page(of: "a")
        scene.vault.service.tamper { $0[page] = nil }
        let report = try scene.salvage().told
        #expect(!report.isComplete && report.kept == 7)
        #expect(Self.names(report.lost) == ["a/0", "a/3"] && report.unnamedLost == 2)
    }

    @Test func `a damaged item is told by its path and label`() throws {
        let scene = try StoreSalvageScene()
        let (page, body) = (try scene.vault.page(of: "z"), try scene.vault.longBody())
        scene.vault.service.tamper { items in
            items[page]?.secret[40] ^= 1
            items[body]?.secret.removeLast(9)
        }
        let salvage = try scene.salvage()
        #expect(salvage.damagedItems.map(\.path) == [page, body].sorted())
        #expect(Set(salvage.damagedItems.map(\.label)) == ["HSIP vault, records"])
        #expect(Self.names(salvage.told.lost) == ["n/long", "z/0", "z/3"] && salvage.told.unnamedLost == 2)
        #expect(salvage.versions == scene.present.filter { !$0.id.hasPrefix("z/") && $0.id != "n/long" })
    }

    @Test func `a lost page of which nothing counts any more is not missed`() throws {
        let scene = try StoreSalvageScene()
        let page = try scene.vault.page(of: "a")
        for number in 0..<4 { try scene.remove("a", "\(number)") }
        // What other programs had of it may be gone with the page, or still there.
        scene.vault.service.tamper { $0[page] = nil }
        let salvage = try scene.salvage()
        #expect(salvage.told.isComplete && salvage.versions == scene.present)
    }

    @Test func `a root that another program took away is read from its copy`() throws {
        let scene = try StoreSalvageScene(hasHistory: true)
        let root = try #require(scene.vault.items("Header").first).path
        scene.vault.service.tamper { $0[root]?.secret = Array("theirs".utf8) }
        let items = scene.vault.service.items
        let salvage = try scene.salvage()
        #expect(salvage.isFromCopy && salvage.told.isComplete && salvage.versions == scene.present)
        #expect(salvage.damagedItems.map(\.path) == [root])
        // It is not put back, either.
        #expect(scene.vault.service.items == items)
        try FileManager.default.removeItem(atPath: scene.copyPath)
        #expect(throws: StoreError.notAVault) { try scene.salvage() }
    }

    @Test func `a damaged format number of a root stops nothing where its copy is there`() throws {
        let scene = try StoreSalvageScene(hasHistory: true)
        let root = try #require(scene.vault.items("Header").first).path
        scene.vault.service.tamper { items in
            guard let colon = items[root]?.secret.firstIndex(of: UInt8(ascii: ":")) else { return }
            items[root]?.secret[colon + 1] = UInt8(ascii: "9")
        }
        let salvage = try scene.salvage()
        #expect(salvage.isFromCopy && salvage.told.isComplete && salvage.versions == scene.present)
        #expect(salvage.damagedItems.map(\.path) == [root])
        // Alone it may be the root of a later program.
        try FileManager.default.removeItem(atPath: scene.copyPath)
        #expect(throws: StoreError.newerFormat(found: 9, supported: 2)) { try scene.salvage() }
    }

    @Test
    func `a keyring from before lacks commits, and its pages are used where the copy of the root names them`()
        throws
    {
        let scene = try StoreSalvageScene(hasHistory: true)
        scene.vault.service.restore(scene.states[3])
        let salvage = try scene.salvage()
        #expect(salvage.isFromCopy && !salvage.told.isComplete)
        #expect(salvage.versions.isSubset(of: scene.written))
        try FileManager.default.removeItem(atPath: scene.copyPath)
        let older = try scene.salvage()
        let newest = try #require(scene.present.map(\.revision).max())
        #expect(!older.told.isComplete && older.told.lostCommits == newest - older.position.generation)
        #expect(try older.next().generation == newest + 1)
    }

    @Test(arguments: StoreFakeService.Point.allCases)
    func `a commit that was cut off at any call is there whole or not at all`(point: StoreFakeService.Point)
        throws
    {
        var (call, ends) = (0, Set<Bool>())
        while true {
            call += 1
            let scene = try StoreSalvageScene()
            let before = scene.present
            scene.vault.service.fail(.init(call: call, point: point, forGood: true))
            _ = try? scene.store.put(RecordID("n", "new"), String(repeating: "!", count: 9_000))
            let isOver = !scene.vault.service.hasFailed
            scene.vault.service.fail(nil)
            let salvage = try scene.salvage()
            let added = salvage.versions.subtracting(before)
            #expect(salvage.told.isComplete && salvage.versions.isSuperset(of: before), "call \(call)")
            #expect(added.allSatisfy { $0.id == "n/new" } && added.count < 2, "call \(call)")
            ends.insert(added.isEmpty)
            if isOver { break }
        }
        #expect(ends.count == 2)
    }

    @Test func `an item that the service refuses stops no other`() throws {
        let scene = try StoreSalvageScene()
        var (call, kept) = (0, Set<Int>())
        while true {
            call += 1
            scene.vault.service.fail(.init(call: call, point: .before, error: .keyringRefused(code: 5)))
            let salvage = try? scene.salvage()
            let isOver = !scene.vault.service.hasFailed
            scene.vault.service.fail(nil)
            if let salvage {
                let isWhole = salvage.vouched == scene.present
                #expect(salvage.told.isComplete == isWhole, "call \(call)")
                #expect(isWhole || salvage.damagedItems.count == 1 || salvage.isFromCopy, "call \(call)")
                kept.insert(salvage.versions.count)
            }
            if isOver { break }
        }
        // The whole vault, without a page of four, and without the long body.
        #expect(kept.isSuperset(of: [7, 10, 11]))
    }

    @Test(arguments: 0..<10)
    func `random damages give no record that was not written, and completeness is told rightly`(part: Int)
        throws
    {
        let scene = try StoreSalvageScene(hasHistory: true)
        let copy = try #require(FileManager.default.contents(atPath: scene.copyPath))
        var (complete, saved) = (0, 0)
        for number in 0..<40 {
            let seed = UInt64(16_000 + part * 40 + number)
            var generator = SeededGenerator(seed: seed)
            scene.mend()
            if generator.oneIn(2) {
                try? FileManager.default.removeItem(atPath: scene.copyPath)
            } else {
                try copy.write(to: URL(fileURLWithPath: scene.copyPath))
            }
            for _ in 0..<generator.number(in: 1...4) { Self.damage(scene, &generator) }
            let items = scene.vault.service.items
            do throws(StoreError) {
                let salvage = try KeyringSalvage.read(
                    vaultID: scene.store.vaultID,
                    paths: scene.vault.paths,
                    items: scene.vault.service
                )
                let report = salvage.told
                #expect(salvage.versions.isSubset(of: scene.written), "seed \(seed)")
                #expect(salvage.vouched.isSubset(of: scene.present) || report.lostCommits > 0, "seed \(seed)")
                #expect(report.isComplete == (salvage.vouched == scene.present), "seed \(seed): \(report)")
                if report.isComplete { complete += 1 }
                saved += report.kept
            } catch .notAVault {
                // Neither root nor copy is left.
            } catch {
                Issue.record(error, "seed \(seed)")
            }
            #expect(scene.vault.service.items == items, "seed \(seed)")
        }
        #expect((1..<40).contains(complete) && saved > 40)
    }

    /// One accident to an item that counts.
    private static func damage(_ scene: StoreSalvageScene, _ generator: inout SeededGenerator) {
        let schemas = ["Header", "Page", "Page", "Page", "RootKey"]
        let items = generator.pick(schemas).map(scene.vault.items) ?? []
        guard let path = generator.pick(items.map(\.path)), let other = generator.pick(items.map(\.path)),
            let before = generator.pick(scene.states)
        else { return }
        let (place, bit) = (generator.number(in: 0...100_000), UInt8(1 << generator.number(in: 0...7)))
        let kind = generator.number(in: 0...8)
        scene.vault.service.tamper { items in
            let size = max(items[path]?.secret.count ?? 0, 1)
            switch kind {
            case 0: items[path] = nil
            case 1: items[path]?.secret = []
            case 2: if size > 1 { items[path]?.secret[place % size] ^= bit }
            case 3:
                let kept = Array((items[path]?.secret ?? []).dropLast(place % size))
                items[path]?.secret = kept
            case 4:
                let (one, second) = (items[path]?.secret ?? [], items[other]?.secret ?? [])
                items[path]?.secret = second
                items[other]?.secret = one
            case 5: if let item = before[path] { items[path] = item }
            // A page that was replaced since comes back.
            case 6: for (old, item) in before where items[old] == nil { items[old] = item }
            case 7: items[path]?.attributes["page"] = "0123456789abcdef"
            default:
                let item = items[path]
                items["\(path)9"] = item
            }
        }
    }
}
