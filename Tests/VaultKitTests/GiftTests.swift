import HSIP
import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// Alice and Bob who were compared, and what goes from Alice's vault to Bob's.
struct GiftCouple {
    let couple: Couple
    var alice: any VaultService { couple.alice.vault }
    var bob: any VaultService { couple.bob.vault }

    init(_ backend: Backend = .carried) async throws {
        couple = try await Couple(backend)
        try await Self.compare(couple.alice, "bob")
        try await Self.compare(couple.bob, "alice")
    }

    static func compare(_ person: Person, _ alias: String) async throws {
        _ = try await person.vault(
            Operations.markVerified,
            person.vault(Operations.comparison, alias),
            .safetyNumber
        )
    }

    func set(_ name: String, _ fields: [String: String], by vault: any VaultService) async throws {
        var change = CredentialChange()
        for (field, value) in fields { try change.put(value, in: field) }
        _ = try await vault(Operations.setCredential, name, change)
    }

    func send(_ name: String, _ change: (inout GiftRequest) -> Void = { _ in }) async throws -> SentGift {
        var request = GiftRequest(name, to: "bob")
        change(&request)
        return try await alice(Operations.sendGift, request)
    }

    func take(_ gift: SentGift, _ change: (inout GiftAcceptance) -> Void = { _ in }) async throws
        -> ReceivedGift
    {
        var acceptance = GiftAcceptance([gift.parcel])
        change(&acceptance)
        return try await bob(Operations.takeGift, acceptance)
    }

    func value(_ name: String, _ field: String? = nil, in vault: any VaultService) async throws -> String {
        let value = try await vault.credentialValue(CredentialReference(name, field: field)).value
        return value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }
}

/// A secret for a contact, from the first version to the withdrawal (Schemas/parcel.md).
struct GiftTests {
    @Test(arguments: Backend.allCases)
    func `a login is given, changed, given again and withdrawn, and the other vault follows`(
        on backend: Backend
    ) async throws {
        let pair = try await GiftCouple(backend)
        let (alice, bob) = (pair.alice, pair.bob)
        try await pair.set("db/prod", ["user": "deploy", "password": "one", "totp": "MFRGGZDF"], by: alice)
        let first = try await pair.send("db/prod") { request in
            request.note = "for the migration"
            request.expires = pair.couple.clock.now + 86_400
        }
        #expect(Set(first.fields) == ["user", "password"] && first.version == 1 && first.sent == 1)
        // What would become of it leaves nothing behind.
        let trial = try await bob(Operations.tryGift, GiftAcceptance([first.parcel]))
        #expect(trial.act == .added && trial.name == "db/prod" && trial.note == "for the migration")
        #expect(try await bob.credentials().isEmpty)
        #expect(try await bob(Operations.gifts, nil, nil).isEmpty)
        let taken = try await pair.take(first) { $0.name = "work/db" }
        #expect(taken.act == .added && taken.name == "work/db" && taken.givenName == "db/prod")
        #expect(taken.contact == "alice" && taken.isVerified && Set(taken.fields) == ["user", "password"])
        #expect(try await pair.value("work/db", in: bob) == "one")
        let details = try await bob(Operations.credential, "work/db", .kept)
        #expect(details.origin == "from alice, 2027-01-15")
        #expect(details.summary.expires == pair.couple.clock.now + 86_400)

        try await pair.set("db/prod", ["password": "two"], by: alice)
        #expect(try await alice(Operations.gifts, "bob", nil).map(\.isOutdated) == [true])
        let second = try await pair.take(try await pair.send("db/prod"))
        #expect(second.act == .versioned && second.name == "work/db" && second.version == 2)
        #expect(try await pair.value("work/db", in: bob) == "two")
        #expect(try await bob(Operations.credential, "work/db", .kept).versions.map(\.number) == [1, 2])

        let withdrawal = try await alice(Operations.withdrawGift, "db/prod", "bob")
        let away = try await pair.take(withdrawal)
        #expect(away.act == .putAway && away.name == "work/db" && away.kind == nil && away.fields.isEmpty)
        await #expect(throws: VaultError.secret(.inTrash)) {
            try await bob(Operations.credential, "work/db", .kept)
        }
        #expect(try await alice(Operations.gifts, nil, nil).first?.withdrawnAt != nil)
        #expect(try await bob(Operations.gifts, nil, nil).first?.withdrawnAt != nil)
        #expect(try await bob(Operations.gifts, "alice", nil).map(\.isMine) == [false])

        // Given once more, it is a secret again.
        let again = try await pair.take(try await pair.send("db/prod")) { $0.name = "work/db" }
        #expect(again.act == .added)
        #expect(try await bob(Operations.gifts, nil, nil).map(\.withdrawnAt) == [nil])
        #expect(try await bob(Operations.gifts, nil, nil).map(\.secret) == ["work/db"])
    }

    @Test func `the second arrival, an older version and one that is here change nothing`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        let first = try await pair.send("x")
        let same = try await pair.send("x")
        try await pair.set("x", ["password": "two"], by: pair.alice)
        let second = try await pair.send("x")
        #expect(try await pair.take(second).act == .added)
        await #expect(throws: VaultError.hsip(.replayed)) { try await pair.take(second) }
        #expect(try await pair.take(first).act == .older)
        #expect(try await pair.take(try await pair.send("x")).act == .known)
        #expect(try await pair.take(same).act == .older)
        // Each was opened, and is not opened again.
        await #expect(throws: VaultError.hsip(.replayed)) { try await pair.take(first) }
        #expect(try await pair.value("x", in: pair.bob) == "two")
        #expect(try await pair.bob(Operations.credential, "x", .kept).versions.count == 1)
        #expect(try await pair.bob(Operations.gifts, nil, nil).count == 1)
        #expect(try await pair.alice(Operations.gifts, nil, nil).count == 1)
    }

    @Test func `the same version with another field is taken`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one", "totp": "MFRGGZDF"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        let whole = try await pair.take(try await pair.send("x") { $0.includesTOTP = true })
        #expect(whole.act == .versioned)
        #expect(try await pair.value("x", "totp", in: pair.bob) == "MFRGGZDF")
        #expect(try await pair.take(try await pair.send("x") { $0.fields = ["totp"] }).fields == ["totp"])
    }

    @Test func `a copy that was changed here is not lost without a yes`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        try await pair.set("x", ["password": "mine"], by: pair.bob)
        try await pair.set("x", ["password": "two"], by: pair.alice)
        let next = try await pair.send("x")
        await #expect(throws: VaultError.secret(.changedMeanwhile)) { try await pair.take(next) }
        #expect(try await pair.value("x", in: pair.bob) == "mine")
        #expect(try await pair.take(next) { $0.replacesChanged = true }.act == .versioned)
        #expect(try await pair.value("x", in: pair.bob) == "two")
        #expect(try await pair.bob(Operations.credential, "x", .kept).versions.map(\.number) == [1, 2, 3])
        // What was taken then counts as unchanged; so a withdrawal finds it as it is.
        #expect(
            try await pair.take(try await pair.alice(Operations.withdrawGift, "x", "bob")).act == .putAway
        )
    }

    @Test func `a changed copy is put away only with a yes, and one that is gone is said to be gone`()
        async throws
    {
        let pair = try await GiftCouple()
        for name in ["x", "y"] {
            try await pair.set(name, ["password": "one"], by: pair.alice)
            _ = try await pair.take(try await pair.send(name))
        }
        try await pair.set("x", ["password": "mine"], by: pair.bob)
        let withdrawal = try await pair.alice(Operations.withdrawGift, "x", "bob")
        await #expect(throws: VaultError.secret(.changedMeanwhile)) { try await pair.take(withdrawal) }
        #expect(try await pair.value("x", in: pair.bob) == "mine")
        #expect(try await pair.take(withdrawal) { $0.replacesChanged = true }.act == .putAway)
        _ = try await pair.bob(Operations.removeCredential, "y", .any)
        #expect(try await pair.take(try await pair.alice(Operations.withdrawGift, "y", "bob")).act == .gone)
    }

    @Test func `gifts follow a secret that gets another name, on both sides`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        _ = try await pair.bob(Operations.moveCredential, "x", "y")
        _ = try await pair.alice(Operations.moveCredential, "x", "z")
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.secret) == ["y"])
        #expect(try await pair.alice(Operations.gifts, nil, nil).map(\.secret) == ["z"])
        try await pair.set("z", ["password": "two"], by: pair.alice)
        let next = try await pair.take(try await pair.send("z"))
        #expect(next.act == .versioned && next.name == "y" && next.givenName == "z")
        #expect(try await pair.value("y", in: pair.bob) == "two")
    }

    @Test func `a new secret under the name of a gift is another gift`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        try await pair.set("x", ["password": "two"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        _ = try await pair.alice(Operations.removeCredential, "x", .any)
        try await pair.set("x", ["password": "new"], by: pair.alice)
        let other = try await pair.send("x")
        await #expect(throws: VaultError.secret(.nameTaken)) { try await pair.take(other) }
        #expect(try await pair.take(other) { $0.name = "x2" }.act == .added)
        #expect(try await pair.value("x", in: pair.bob) == "two")
        #expect(try await pair.value("x2", in: pair.bob) == "new")
    }

    @Test func `words behind a parcel do no harm`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        let parcel = try SealedParcel(bytes: try await pair.send("x").parcel)
        let text = try ParcelText.write(parcel) + Array("\nThanks\nAlice\n".utf8)
        let readings = try #require(ParcelText.find(in: text).first).readings.map(\.bytes)
        #expect(try await pair.bob(Operations.takeGift, GiftAcceptance(readings.reversed())).act == .added)
    }
}
