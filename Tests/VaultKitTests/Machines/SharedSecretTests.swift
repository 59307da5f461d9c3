import RecordStore
import Secrets
import SharedLog
import Testing
import VaultCrypto

@testable import VaultKit

/// A secret goes into the log and comes back, and two changes of it become one without a loss that nobody hears of.
struct SharedSecretTests {
    private static let hotp = "otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ&counter="

    private func secret(
        _ fields: [(String, String)] = [("password", "one")],
        name: String = "db/prod",
        at second: UInt64 = 100
    ) throws -> SharedSecret {
        let fields = try fields.map { try CredentialField($0.0, text: $0.1) }
        return try shared(try Credential(.login, fields, at: second), name: name)
    }

    private func shared(_ credential: Credential, name: String = "db/prod") throws -> SharedSecret {
        try #require(SharedSecret(try info(name), credential))
    }

    private func info(_ name: String) throws -> RecordInfo {
        RecordInfo(
            id: try RecordID("secret", name),
            revision: 3,
            uid: [UInt8](repeating: 9, count: 16),
            created: 100_000,
            modified: 200_000,
            expires: 0,
            label: "",
            attributes: .none,
            predatesRestore: false
        )
    }

    private func changed(
        _ secret: SharedSecret,
        name: String? = nil,
        _ body: (inout Credential) throws -> Void
    ) throws -> SharedSecret {
        var credential = secret.credential
        try body(&credential)
        return try shared(credential, name: name ?? secret.name)
    }

    private func add(_ fields: [(String, String)], at second: UInt64, to credential: inout Credential) throws
    {
        try credential.add(try fields.map { try CredentialField($0.0, text: $0.1) }, at: second)
    }

    private func text(_ secret: SharedSecret, _ field: String = "password", version: UInt32? = nil) -> String?
    {
        let found = version.map { secret.credential.version($0) } ?? secret.credential.current
        return found?[field].map { $0.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) } }
    }

    @Test func `a secret that went through the log is the same`() throws {
        let before = try changed(try secret()) { credential in
            try credential.setTags(["a", "b"])
            try credential.setExpires(900)
            try add([("password", "two")], at: 200, to: &credential)
        }
        let after = try #require(SharedSecret(try before.object()))
        #expect(after.id == before.id && after.name == "db/prod" && after.created == 100_000)
        #expect(try after.registers() == before.registers())
        #expect(try after.object().digest() == before.object().digest())
        #expect(try before.object().expires == 900_000)
        #expect(text(after) == "two" && text(after, version: 1) == "one")
    }

    @Test func `a secret with the tag local stays here`() throws {
        var credential = try secret().credential
        try credential.setTags(["local", "x"])
        #expect(SharedSecret(try info("a"), credential) == nil)
    }

    @Test(arguments: ["", "no credential", String(repeating: "\u{1}", count: 40)])
    func `an object that is no secret is none`(content: String) throws {
        let object = try SharedObject(
            kind: 1,
            id: ObjectID(digest: [UInt8](repeating: 1, count: 16)),
            name: "x",
            content: Secret(copying: Array(content.utf8))
        )
        #expect(SharedSecret(object) == nil)
        let nameless = try SharedObject(
            kind: 1,
            id: object.id,
            name: "",
            content: try secret().object().content
        )
        #expect(SharedSecret(nameless) == nil)
    }

    @Test func `changes of two different things are both there, and no conflict`() throws {
        let base = try secret()
        let mine = try changed(base) { try add([("password", "mine")], at: 300, to: &$0) }
        let theirs = try changed(base, name: "db/live") { try $0.setTags(["urgent"]) }
        let merged = try #require(try mine.merged(with: theirs, base: base.registers().digests))
        #expect(!merged.isConflict && merged.secret.name == "db/live")
        #expect(merged.secret.credential.tags == ["urgent"] && text(merged.secret) == "mine")
    }

    @Test(arguments: [(300, 400, "theirs"), (400, 300, "mine")] as [(UInt64, UInt64, String)])
    func `of two new values the later counts, and the other is a version`(
        mine: UInt64,
        theirs: UInt64,
        result: String
    ) throws {
        let base = try secret()
        let here = try changed(base) { try add([("password", "mine")], at: mine, to: &$0) }
        let there = try changed(base) { try add([("password", "theirs")], at: theirs, to: &$0) }
        let merged = try #require(try here.merged(with: there, base: base.registers().digests))
        #expect(merged.isConflict && text(merged.secret) == result)
        #expect(Set([2, 3].map { text(merged.secret, version: $0) }) == ["mine", "theirs"])
        // The other machine comes to the same.
        let other = try #require(try there.merged(with: here, base: base.registers().digests))
        #expect(try other.secret.registers().versions == merged.secret.registers().versions)
    }

    @Test func `the same value typed on both machines is one version`() throws {
        let base = try secret()
        let mine = try changed(base) { try add([("password", "new")], at: 300, to: &$0) }
        let theirs = try changed(base) { try add([("password", "new")], at: 310, to: &$0) }
        let merged = try #require(try mine.merged(with: theirs, base: base.registers().digests))
        #expect(!merged.isConflict && merged.secret.credential.versions.count == 2)
    }

    @Test func `ten new versions do not drive the only change of the other out`() throws {
        let base = try secret()
        let mine = try changed(base) { try add([("password", "only")], at: 101, to: &$0) }
        let theirs = try changed(base) { credential in
            for number in 1...12 {
                try add([("password", "\(number)")], at: 200 + UInt64(number), to: &credential)
            }
        }
        for (first, second) in [(mine, theirs), (theirs, mine)] {
            let merged = try #require(try first.merged(with: second, base: base.registers().digests))
            let values = merged.secret.credential.versions.map { text(merged.secret, version: $0.number) }
            #expect(merged.isConflict && values.count == 10)
            #expect(values.contains("only") && values.last == "12")
        }
    }

    @Test func `a counter that both raised is no change of a person, and no number comes twice`() throws {
        let base = try secret([("totp", Self.hotp + "5")])
        func raised(_ times: Int) throws -> SharedSecret {
            try changed(base) { credential in
                for _ in 0..<times {
                    let field = try #require(credential.current["totp"])
                    try credential.put(try CredentialField("totp", try OneTimeKey.raised(field.value)))
                }
            }
        }
        let (mine, theirs) = (try raised(2), try raised(7))
        #expect(try mine.registers().versions == base.registers().versions)
        #expect(try mine.registers().digests != base.registers().digests)
        for (first, second) in [(mine, theirs), (theirs, mine)] {
            let merged = try #require(try first.merged(with: second, base: base.registers().digests))
            #expect(!merged.isConflict && merged.secret.credential.versions.count == 1)
            #expect(text(merged.secret, "totp") == Self.hotp + "12")
        }
        // A new key begins where its service says.
        let other = try changed(base) {
            try add([("totp", "otpauth://hotp/a?secret=JBSWY3DPEHPK3PXP&counter=0")], at: 900, to: &$0)
        }
        let merged = try #require(try other.merged(with: theirs, base: base.registers().digests))
        #expect(text(merged.secret, "totp")?.hasSuffix("counter=0") == true)
    }

    @Test func `of two types both stay`() throws {
        let token = try Credential(.token, [try CredentialField("token", text: "t")], at: 100)
        #expect(try secret().merged(with: try shared(token), base: []) == nil)
    }
}
