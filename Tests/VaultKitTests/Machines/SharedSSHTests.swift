import RecordStore
import SSHFormats
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// SSH keys go into the log and come back, and two changes of one become one.
struct SharedSSHTests {
    private func info(_ name: String, created: UInt64 = 100_000) throws -> RecordInfo {
        RecordInfo(
            id: try RecordID("ssh.key", name),
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

    private func key(_ seed: UInt8 = 1) throws -> PrivateKey {
        try .ed25519(comment: Array("me".utf8), entropy: .seeded([seed]))
    }

    private func shared(_ record: KeyRecord, _ name: String = "work") throws -> SharedKey {
        SharedKey(try info(name), record)
    }

    private func changed(
        _ key: SharedKey,
        name: String? = nil,
        _ body: (inout KeyRecord) throws -> Void
    ) throws -> SharedKey {
        var record = key.record
        try body(&record)
        return try shared(record, name ?? key.name)
    }

    @Test func `a key that went through the log is the same`() throws {
        let (certificate, point) = (
            try SSHCertificates.make(of: key().publicKey, by: key(7)), try key().publicKey.fingerprint.digest
        )
        let before = try changed(try shared(KeyRecord(key(), origin: .pem, hadPassphrase: true))) { record in
            (record.state, record.retiredAt, record.related, record.removedAt) = (.retired, 50, point, 60)
            try record.add(certificate)
            (record.use.needsConfirmation, record.use.lifetime) = (true, 90)
            (record.use.hosts, record.use.namespaces) = (["db1", "[db2]:2222"], ["git"])
        }
        let after = try #require(SharedKey(try before.object()))
        #expect(
            after.name == "work" && after.created == 100_000 && after.record.certificates == [certificate]
        )
        #expect(after.record.related == point && after.record.hadPassphrase && after.record.isRemoved)
        #expect(try after.object().digest() == before.object().digest())
        #expect(after.id == ObjectID(of: .sshKey, point) && after.digests == before.digests)
        let curve = try shared(KeyRecord(.ecdsa(.p256, entropy: .seeded([3])), origin: .generated))
        let read = try #require(SharedKey(try curve.object()))
        #expect(try read.object().digest() == curve.object().digest())
    }

    @Test(arguments: ["", "no key", String(repeating: "\u{1}", count: 80)])
    func `an object that is no key is none`(content: String) throws {
        let key = try shared(KeyRecord(key(), origin: .generated))
        func read(_ content: Secret, kind: UInt8 = 2, name: String = "work", end: UInt64 = 0) throws
            -> SharedKey?
        {
            SharedKey(try SharedObject(kind: kind, id: key.id, expires: end, name: name, content: content))
        }
        #expect(try read(try Secret(copying: Array(content.utf8))) == nil)
        let whole = try key.object().content
        #expect(try read(whole) != nil)
        for name in ["", "../a", "a b"] { #expect(try read(whole, name: name) == nil) }
        #expect(try read(whole, kind: 1) == nil)
        #expect(try read(try shared(KeyRecord(self.key(2), origin: .pem)).object().content) == nil)
        // A record has no place for an end.
        #expect(try read(whole, end: 5) == nil)
    }

    @Test func `changes of two different things are both there, and no conflict`() throws {
        let old = try shared(KeyRecord(key(), origin: .generated))
        let mine = try changed(old) { $0.use.hosts = ["db1"] }
        let certificate = try SSHCertificates.make(of: key().publicKey, by: key(7))
        let theirs = try changed(old, name: "office") { try $0.add(certificate) }
        let merged = try mine.merged(with: theirs, base: old.digests)
        #expect(!merged.isConflict && merged.key.name == "office" && merged.key.record.use.hosts == ["db1"])
        #expect(merged.key.record.certificates == [certificate])
        let (early, late) = (SharedKey(try info("work", created: 5), old.record), old)
        #expect(try early.merged(with: late, base: []).key.created == 5)
        #expect(try late.merged(with: early, base: []).key.created == 5)
    }

    @Test func `of two changes of a key the stricter counts, and what replaced it comes along`() throws {
        let old = try changed(try shared(KeyRecord(key(), origin: .generated))) { record in
            record.use.namespaces = ["git", "file"]
        }
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let mine = try changed(old) { record in
            (record.state, record.retiredAt, record.related) = (.retired, 70, first)
            record.use.namespaces = ["git"]
        }
        let theirs = try changed(old) { record in
            record.use.namespaces = []
            record.state = .aside
        }
        for (one, other) in [(mine, theirs), (theirs, mine)] {
            let merged = try one.merged(with: other, base: old.digests)
            let record = merged.key.record
            #expect(merged.isConflict && record.state == .retired && record.use.namespaces.isEmpty)
            #expect(record.retiredAt == 70 && record.related == first)
            let read = try #require(SharedKey(try merged.key.object()))
            #expect(read.digests == merged.key.digests)
        }
        // Two machines replaced it by two keys.
        let rotated = try changed(mine) { $0.related = second }
        let merged = try mine.merged(with: rotated, base: old.digests)
        #expect(merged.isConflict && merged.key.record.related == second)
    }

    @Test func `certificates of both stay, as many as a key may have`() throws {
        let old = try shared(KeyRecord(key(), origin: .generated))
        func certified(_ names: Range<Int>) throws -> SharedKey {
            try changed(old) { record in
                for name in names {
                    let principals = ["user\(name)"]
                    try record.add(
                        SSHCertificates.make(of: key().publicKey, by: key(7), principals: principals)
                    )
                }
            }
        }
        let few = try certified(0..<2).merged(with: try certified(1..<4), base: old.digests)
        #expect(!few.isConflict && few.key.record.certificates.count == 4)
        let many = try certified(0..<40).merged(with: try certified(30..<80), base: old.digests)
        #expect(many.isConflict && many.key.record.certificates.count == 64)
        #expect(SharedKey(try many.key.object()) != nil)
    }

    @Test func `a private half that nothing can check is not dropped without a word`() throws {
        func opaque(_ rest: String) throws -> SharedKey {
            var (blob, wire) = (WireWriter(), WireWriter())
            blob.string("x-test@example")
            blob.string("public")
            wire.string("x-test@example")
            wire.raw(Array(rest.utf8))
            let half = try Secret(copying: wire.bytes)
            let key = try PrivateKey(wire: half, publicKey: try PublicKey(blob: blob.bytes, comment: []))
            return try shared(KeyRecord(key, origin: .openSSH))
        }
        let (mine, theirs) = (try opaque("one"), try opaque("two"))
        let merged = try mine.merged(with: theirs, base: [])
        #expect(merged.isConflict && merged.key.record.state == .aside)
        #expect(try merged.key.object().digest() == theirs.object().digest())
        #expect(try !mine.merged(with: mine, base: mine.digests).isConflict)
    }
}
