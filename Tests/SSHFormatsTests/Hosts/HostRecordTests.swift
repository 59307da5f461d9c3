import Testing
import VaultCrypto

@testable import SSHFormats

/// The content of a host profile's record.
struct HostRecordTests {
    private static func record() throws -> HostRecord {
        let fields = HostProfile.Fields(
            label: "Die größte Datenbank",
            host: "fe80::1%eth0",
            port: 2222,
            user: "deploy",
            authentication: "key",
            keyReference: "work",
            passwordReference: "db/prod",
            uploadPath: "~/in",
            hostKeyAlias: "db1"
        )
        var record = HostRecord(
            try HostProfile(id: HostID(.seeded([1])), fields),
            extras: [.init(name: "colour", json: "\"red\""), .init(name: "list", json: "[1, 2.50]")]
        )
        record.isDefault = true
        return record
    }

    @Test func `what was written is read, and written again the same`() throws {
        var record = try Self.record()
        #expect(try HostRecord(content: record.content()) == record)
        record.isDefault = false
        record.removedAt = 1_800_000_000
        record.extras = []
        #expect(try HostRecord(content: record.content()) == record)
        #expect(try HostProfile(id: record.profile.id, record.profile.fields) == record.profile)
    }

    @Test func `every truncation is refused, and every changed byte is refused or another profile`() throws {
        let record = try Self.record()
        let content = try record.content()
        for count in content.indices {
            #expect(throws: SSHFormatError.self) { try HostRecord(content: Array(content.prefix(count))) }
        }
        #expect(throws: SSHFormatError.trailingBytes) { try HostRecord(content: content + [0]) }
        for index in content.indices {
            for change in [1, 0x80, 0xFF] as [UInt8] {
                var changed = content
                changed[index] ^= change
                guard let read = try? HostRecord(content: changed) else { continue }
                #expect(read != record, "byte \(index)")
            }
        }
    }

    @Test func `what no one knows is kept within limits`() throws {
        var record = try Self.record()
        record.extras = (0..<65).map { .init(name: "n\($0)", json: "1") }
        #expect(throws: SSHFormatError.oversized(limit: 64)) { try record.content() }
        record.extras = [.init(name: "n", json: String(repeating: "1", count: 64 << 10))]
        #expect(throws: SSHFormatError.oversized(limit: 64 << 10)) { try record.content() }
        record.extras = [.init(name: "n", json: "1"), .init(name: "n", json: "2")]
        #expect(throws: SSHFormatError.malformed) { try record.content() }
    }

    @Test(arguments: ["db1", "DB1", "a", "1.2.3.4", "x_y-z.example"])
    func `a name is what can be typed behind ssh`(name: String) throws {
        #expect(try HostRecord.name(name) == name.lowercased())
    }

    @Test(arguments: [
        "", "-a", "a b", "a/b", "::1", "a%b", "a@b", "*", "db?", "\u{E9}", String(repeating: "a", count: 101),
    ])
    func `any other name is refused`(name: String) throws {
        #expect(throws: SSHFormatError.badHostName) { try HostRecord.name(name) }
    }
}
