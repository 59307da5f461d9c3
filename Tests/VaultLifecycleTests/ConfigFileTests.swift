import Foundation
import Testing
import Text
import VaultLifecycle

/// What is written down beside what others write at the same time.
@Suite struct ConfigFileTests {
    private let id = [UInt8](0..<16)

    /// A file of records in a folder of its own.
    private func with(_ act: (ConfigFile) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try act(ConfigFile(path: folder + "/config.json"))
    }

    @Test func `one thing about a vault is changed in the record that is there by then`() throws {
        try with { config in
            try config.set(VaultRecord(id: id, path: "/v"), of: "vault")
            let moved = VaultRecord(id: id, collection: "/c/login", label: "Login", reason: .migrated)
            try config.set(moved, of: "vault")
            try config.update("vault", of: id) { $0.lacksIdentity = true }
            let now = try #require(try config.record(of: "vault"))
            #expect(now.isSame(as: moved) && now.lacksIdentity)
        }
    }

    @Test func `the record of another vault stays, and none is made`() throws {
        try with { config in
            let other = VaultRecord(id: id.reversed(), path: "/v")
            try config.set(other, of: "vault")
            try config.update("vault", of: id) { $0.lacksIdentity = true }
            try config.update("work", of: id) { $0.lacksIdentity = true }
            #expect(try config.records() == ["vault": other])
        }
    }

    @Test func `a record that cannot be read is not written over`() throws {
        try with { config in
            try config.set(VaultRecord(id: id, path: "/v"), of: "other")
            let text = Data(#"{"vaults":{"vault":{"id":"?"}}}"#.utf8)
            try text.write(to: URL(fileURLWithPath: config.path))
            #expect(throws: (any Error).self) {
                try config.update("vault", of: id) { $0.lacksIdentity = true }
            }
            #expect(throws: (any Error).self) { try config.set(nil, of: "vault") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: config.path)) == text)
        }
    }

    @Test(arguments: ["kept", "migration"]) func `a record with copies says so`(_ name: String) {
        var record = VaultRecord(id: id, path: "/v")
        #expect(!record.knowsOfCopies)
        record.tree[name] = .list([.text("of a newer program")])
        #expect(record.knowsOfCopies)
    }
}
