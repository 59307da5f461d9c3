import RecordStore
import SSHFormats
import SharedLog
import Testing
import VaultCrypto

@testable import VaultKit

/// Host profiles go into the log and come back, and two changes of one become one.
struct SharedHostTests {
    private static let id = [UInt8](1...16)

    private func info(_ name: String, created: UInt64 = 100_000) throws -> RecordInfo {
        RecordInfo(
            id: try RecordID("ssh.host", name),
            revision: 3,
            uid: [UInt8](repeating: 9, count: 16),
            created: created,
            modified: 200_000,
            expires: 0,
            label: "",
            attributes: .none,
            predatesRestore: false
        )
    }

    private func host(
        _ name: String = "db1",
        _ change: (inout HostProfile.Fields) -> Void = { _ in },
        record: (inout HostRecord) -> Void = { _ in }
    ) throws -> SharedHost {
        var fields = HostProfile.Fields(
            label: "Database",
            host: "db1.example",
            user: "root",
            authentication: "key",
            keyReference: "work"
        )
        change(&fields)
        let extra = HostRecord.ExtraField(name: "colour", json: "\"red\"")
        let id = try #require(HostID(bytes: Self.id))
        var result = HostRecord(try HostProfile(id: id, fields), extras: [extra])
        record(&result)
        return SharedHost(try info(name), result)
    }

    @Test func `a host that went through the log is the same, and the default is not in it`() throws {
        let before = try host("db1", { $0.hostKeyAlias = "db" }, record: { $0.isDefault = true })
        let after = try #require(SharedHost(try before.object()))
        #expect(after.record.profile == before.record.profile && after.record.extras == before.record.extras)
        #expect(!after.record.isDefault && after.id.bytes == Self.id)
        #expect(try after.object().digest() == before.object().digest())
        #expect(after.digests == before.digests)
        // The machine that has it as its default keeps that, unless the host goes into the trash.
        #expect(try before.merged(with: after, base: before.digests).host.record.isDefault)
        let removed = try host(record: { $0.removedAt = 70 })
        #expect(try !before.merged(with: removed, base: before.digests).host.record.isDefault)
    }

    @Test
    func `of two changes of a field of a host the log's counts, and what belongs together stays together`()
        throws
    {
        let base = try host()
        let mine = try host(
            "db1",
            { fields in
                (fields.host, fields.authentication, fields.keyReference) = ("db2.example", "password", nil)
            }
        )
        let theirs = try host("db9", { ($0.port, $0.keyReference) = (2222, "other") })
        let merged = try mine.merged(with: theirs, base: base.digests)
        let profile = merged.host.record.profile
        #expect(
            merged.isConflict && merged.host.name == "db9" && profile.address == theirs.record.profile.address
        )
        #expect(profile.authentication == .key && profile.keyReference == "other")
        // Two days in the trash are no conflict; in the trash and out of it are one.
        let removed = try [5, 9].map { day in try host(record: { $0.removedAt = day }) }
        #expect(try !removed[0].merged(with: removed[1], base: base.digests).isConflict)
        #expect(try removed[0].merged(with: base, base: removed[1].digests).isConflict)
    }

    private func read(_ content: Secret, name: String = "db1", id: [UInt8] = Self.id) throws -> SharedHost? {
        let id = ObjectID(digest: id)
        return SharedHost(try SharedObject(kind: 3, id: id, name: name, content: content))
    }

    @Test(arguments: ["", "no host", String(repeating: "\u{1}", count: 80)])
    func `an object that is no host is none`(content: String) throws {
        #expect(try read(try Secret(copying: Array(content.utf8))) == nil)
        let profile = try host().object().content
        #expect(try read(profile) != nil)
        for name in ["", "DB1", "a b", "-x"] { #expect(try read(profile, name: name) == nil) }
        #expect(try read(profile, id: [UInt8](repeating: 7, count: 16)) == nil)
        #expect(try read(try Secret(copying: host(record: { $0.isDefault = true }).record.content())) == nil)
    }

    @Test func `changes of two different fields are both there, and no conflict`() throws {
        let (base, user, port) = (try host(), try host { $0.user = "me" }, try host { $0.port = 2222 })
        let merged = try user.merged(with: port, base: base.digests)
        #expect(!merged.isConflict && merged.host.record.profile.user == "me")
        #expect(merged.host.record.profile.address.port == 2222)
        #expect(try user.merged(with: base, base: base.digests).host.record == user.record)
        #expect(try base.merged(with: user, base: base.digests).host.record == user.record)
        let early = SharedHost(try info("db1", created: 5), base.record)
        #expect(try early.merged(with: base, base: []).host.created == 5)
        #expect(try base.merged(with: early, base: []).host.created == 5)
    }
}
