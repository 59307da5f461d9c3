import RecordStore
import Secrets
import SharedLog
import Testing

@testable import VaultKit

/// Vaults that were restored or repaired.
extension SyncTests {
    private func repaired() throws -> SyncWorld {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "a", "one")
        try set(world, 0, "b", "two")
        try world.everybody()
        try world.lose(0, try RecordID("secret", "a"))
        return world
    }

    @Test func `a record that a repair lost is not deleted on other machines`() throws {
        let world = try repaired()
        #expect(try world.sync(0, accepts: false).missing == 1)
        try set(world, 0, "c", "three")
        #expect(try world.sync(0, accepts: false).missing == 1)
        try world.sync(1)
        #expect(try world.list(1).keys.sorted() == ["a", "b", "c"])
        try set(world, 1, "a", "new")
        try world.sync(1)
        #expect(try world.sync(0, accepts: false).missing == 0)
        #expect(try world.list(0)["a"]?.contains("new") == true)
        try world.agree()
    }

    @Test func `a record that a repair lost is deleted elsewhere if a person agrees`() throws {
        let world = try repaired()
        try world.sync(0, accepts: false)
        #expect(try world.sync(0, accepts: true).missing == 0)
        try world.sync(1)
        #expect(try world.list(1)["a"] == nil)
        try world.agree()
    }

    @Test func `what was deleted after a repair is deleted elsewhere`() throws {
        let world = try repaired()
        try world.sync(0, accepts: false)
        try world.edit(0) { secrets, _ in try secrets.erase("b") }
        try world.sync(0, accepts: false)
        try world.sync(1)
        #expect(try world.list(1)["b"] == nil)
        #expect(try world.list(1)["a"]?.contains("login [] 0") == true)
    }

    @Test func `a restored vault goes on, and a copy of it is noticed afterwards`() throws {
        let world = try SyncWorld(machines: 2)
        let old = try world.records(0)
        try set(world, 0, "a", "one")
        try world.everybody()
        try world.restore(0, from: old)
        try world.sync(0)
        #expect(try world.list(0)["a"]?.contains("one") == true)
        try set(world, 0, "b", "two")
        try world.everybody()
        let copy = try world.records(0)
        try set(world, 0, "c", "three")
        try world.sync(0)
        try world.restore(0, from: copy, isSaid: false)
        #expect {
            try world.sync(0)
        } throws: { error in
            (error as? LogError)?.reason == .machineCloned
        }
    }

    @Test func `a vault that was restored twice goes on before it wrote anything`() throws {
        let world = try SyncWorld(machines: 2)
        let old = try world.records(0)
        for value in ["one", "two", "three"] {
            try set(world, 0, "a", value)
            try world.sync(0)
        }
        try world.restore(0, from: old)
        // A step that reads only a part of what was forgotten.
        let line = world.line
        world.line = Array(line.prefix(line.count - 1))
        try world.sync(0, sends: false)
        world.line = line
        try world.everybody()
        #expect(try world.list(0)["a"]?.contains("three") == true)
        try world.agree()
    }

    @Test func `a new record with the name of one that a repair lost gets another name`() throws {
        let world = try repaired()
        try world.sync(0, accepts: false)
        try set(world, 0, "a", "typed anew")
        try world.sync(0, accepts: false)
        try world.sync(1)
        #expect(try world.list(1)["a"]?.contains("one") == true)
        #expect(try world.list(1)["a-2"]?.contains("typed anew") == true)
    }

    @Test func `consent to removals of others does not delete what a repair lost`() throws {
        let world = try repaired()
        _ = try world.step(0, accepts: false)
        let report = try world.step(0, accepts: true, deletesMissing: false).report
        #expect(report.missing == 1)
    }

    @Test func `a shared secret that became local is deleted on no other machine`() throws {
        let world = try SyncWorld(machines: 2)
        try set(world, 0, "a", "one")
        try world.everybody()
        try world.edit(0) { secrets, _ in
            var credential = try secrets.open("a")
            try credential.setTags(["local"])
            try secrets.replace("a", by: credential)
        }
        try world.sync(0)
        try world.edit(0) { secrets, _ in try secrets.erase("a") }
        try world.everybody()
        #expect(try world.list(0)["a"] == nil)
        #expect(try world.list(1)["a"]?.contains("one") == true)
        // Nor did a later repair lose it.
        try set(world, 0, "b", "two")
        try world.everybody()
        try world.lose(0, try RecordID("secret", "b"))
        #expect(try world.sync(0, accepts: false).missing == 1)
    }

    @Test func `the purge of old trash is no mass removal`() throws {
        let world = try SyncWorld(machines: 2)
        for number in 0..<25 { try set(world, 0, "s\(number)", "x") }
        try world.everybody()
        for number in 0..<25 {
            try world.edit(0) { secrets, _ in try secrets.remove("s\(number)") }
        }
        try world.everybody()
        for number in 0..<25 {
            try world.edit(0) { secrets, _ in try secrets.erase("s\(number)") }
        }
        try world.sync(0)
        try world.sync(1, accepts: false)
        try world.agree()
    }
}
