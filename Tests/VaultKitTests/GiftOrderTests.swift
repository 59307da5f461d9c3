import HSIP
import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import VaultKit

/// A gift is bound to a secret, not to its name, and parcels count in the order in which they were sealed.
struct GiftOrderTests {
    /// What the record of a person's one gift holds.
    private func body(of person: Person) throws -> [UInt8] {
        let record = try person.store.read { (reader) throws(StoreError) in
            let kind = try RecordKind(Gift.recordKind)
            return try reader.survey(kind).records.first.flatMap { (info) throws(StoreError) in
                try reader.find(info.id)
            }
        }
        return try #require(record).body.withBytes { $0.copied() }
    }

    /// Lets a secret go without its gift, as a program before this one might.
    private func erase(_ name: String, of person: Person) throws {
        let floor = try person.store.read { (reader) throws(StoreError) in reader.floor }
        let id = try RecordID(Credential.recordKind, name)
        _ = try person.store.commit(ChangeSet(floor: floor, changes: [.delete(id, expecting: nil)]))
    }

    @Test func `a withdrawal that was held back puts nothing away that was given after it`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        let held = try await pair.alice(Operations.withdrawGift, "x", "bob")
        // Nothing is new about it but that the giver gave it once more.
        #expect(try await pair.take(try await pair.send("x")).act == .known)
        #expect(try await pair.take(held).act == .older)
        #expect(try await pair.value("x", in: pair.bob) == "one")
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.withdrawnAt) == [nil])
    }

    @Test func `a second copy that was held back brings nothing back that was withdrawn`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        let (first, second) = (try await pair.send("x"), try await pair.send("x"))
        _ = try await pair.take(first)
        #expect(
            try await pair.take(try await pair.alice(Operations.withdrawGift, "x", "bob")).act == .putAway
        )
        #expect(try await pair.take(second).act == .older)
        #expect(try await pair.bob.credentials().isEmpty)
    }

    @Test func `the fields that were given later stay, also under a clock that went back`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one", "totp": "MFRGGZDF"], by: pair.alice)
        let held = try await pair.send("x")
        pair.couple.clock.turnBack(by: 3_600)
        #expect(try await pair.take(try await pair.send("x") { $0.includesTOTP = true }).act == .added)
        #expect(try await pair.take(held).act == .older)
        #expect(try await pair.value("x", "totp", in: pair.bob) == "MFRGGZDF")
    }

    @Test func `after a clock that was ahead an end is the soonest that can be told, and said`() async throws
    {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        pair.couple.clock.advance(by: 3_600)
        let late = pair.couple.clock.now
        _ = try await pair.take(try await pair.send("x"))
        pair.couple.clock.turnBack(by: 3_600)
        let wanted = pair.couple.clock.now + 600
        let sent = try await pair.send("x") { $0.expires = wanted }
        #expect(sent.expires == late + 1)
        #expect(try await pair.take(sent).act == .versioned)
        // Nothing is later once the clock has gone past it.
        pair.couple.clock.advance(by: 2 * 3_600)
        let end = pair.couple.clock.now + 60
        #expect(try await pair.send("x") { $0.expires = end }.expires == end)
    }

    @Test func `a clock that was at its end keeps no secret from being given again`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        let store = pair.couple.alice.store
        let (floor, revision, found) = try store.read { (reader) throws(StoreError) in
            let info = try reader.survey(try RecordKind(Gift.recordKind)).records.first
            return (
                reader.floor, info?.revision,
                try info.flatMap { (info) throws(StoreError) in try reader.find(info.id) }
            )
        }
        var gift = try #require(found.flatMap { Gift($0) })
        gift.made = Credential.latestTime
        let change = Change.put(try gift.draft(), expecting: try #require(revision))
        _ = try store.commit(ChangeSet(floor: floor, changes: [change]))
        let again = try await pair.take(try await pair.send("x")) { $0.name = "y" }
        #expect(again.act == .added)
    }

    @Test func `what was taken out of the trash and given again is not withdrawn any more`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        _ = try await pair.take(try await pair.alice(Operations.withdrawGift, "x", "bob"))
        _ = try await pair.bob(Operations.restoreCredential, "x")
        #expect(try await pair.bob(Operations.gifts, nil, nil).first?.withdrawnAt != nil)
        #expect(try await pair.take(try await pair.send("x")).act == .known)
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.withdrawnAt) == [nil])
    }

    @Test func `an own secret under the name of a copy that is gone is left alone`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        try erase("x", of: pair.couple.bob)
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.current) == [nil])
        try await pair.set("x", ["password": "one"], by: pair.bob)
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.current) == [nil])
        let away = try await pair.alice(Operations.withdrawGift, "x", "bob")
        #expect(try await pair.take(away) { $0.replacesChanged = true }.act == .gone)
        try await pair.set("x", ["password": "two"], by: pair.alice)
        let next = try await pair.send("x")
        await #expect(throws: VaultError.secret(.nameTaken)) {
            try await pair.take(next) { $0.replacesChanged = true }
        }
        #expect(try await pair.take(next) { $0.name = "theirs" }.act == .added)
        #expect(try await pair.value("x", in: pair.bob) == "one")
        #expect(try await pair.value("theirs", in: pair.bob) == "two")
    }

    @Test func `a new secret under the name of one that is gone goes out as another gift`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        try erase("x", of: pair.couple.alice)
        for value in ["new", "newer"] { try await pair.set("x", ["password": value], by: pair.alice) }
        #expect(try await pair.alice(Operations.gifts, nil, nil).map(\.isOutdated) == [false])
        let other = try await pair.send("x")
        #expect(other.version == 2)
        await #expect(throws: VaultError.secret(.nameTaken)) { try await pair.take(other) }
        #expect(try await pair.take(other) { $0.name = "x2" }.act == .added)
        #expect(try await pair.value("x", in: pair.bob) == "one")
        // What is withdrawn is that of the secret that has the name now, and then the one before it.
        #expect(try await pair.take(try await pair.alice(Operations.withdrawGift, "x", "bob")).name == "x2")
        #expect(try await pair.bob.credentials().map(\.name) == ["x"])
    }

    @Test func `of a copy that is purged nothing stays by which its values could be guessed`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        _ = try await pair.bob(Operations.removeCredential, "x", .any)
        #expect(try body(of: pair.couple.bob)[1...32].contains { $0 != 0 })
        try await pair.bob.live(32 * 86_400, by: pair.couple.clock)
        try await pair.set("y", ["password": "y"], by: pair.bob)
        _ = try await pair.bob(Operations.removeCredential, "y", .any)
        await #expect(throws: VaultError.secret(.unknownName)) {
            try await pair.bob(Operations.credential, "x", .trash)
        }
        #expect(try body(of: pair.couple.bob)[1...32].allSatisfy { $0 == 0 })
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.secret) == ["x"])
    }

    @Test func `an end that was set here gives way only with a yes`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        var change = CredentialChange()
        change.expires = .at(pair.couple.clock.now + 1_000)
        _ = try await pair.bob(Operations.setCredential, "x", change)
        try await pair.set("x", ["password": "two"], by: pair.alice)
        let next = try await pair.send("x")
        await #expect(throws: VaultError.secret(.changedMeanwhile)) { try await pair.take(next) }
        #expect(try await pair.take(next) { $0.replacesChanged = true }.act == .versioned)
    }

    @Test func `gifts follow a contact to the key that takes the place of theirs`() async throws {
        let pair = try await GiftCouple()
        for (name, vault) in [("x", pair.alice), ("y", pair.bob)] {
            try await pair.set(name, ["password": "one"], by: vault)
        }
        _ = try await pair.take(try await pair.send("x"))
        _ = try await pair.bob(Operations.sendGift, GiftRequest("y", to: "alice"))
        let before = try await pair.bob(Operations.gifts, "alice", nil)
        let other = try await Person("Alice", clock: pair.couple.clock)
        let offer = try #require(try await other.vault(Operations.makeOffer, OfferRequest(), nil).code)
        let number = try await pair.bob(Operations.safetyNumber, offer).text
        _ = try await pair.bob(Operations.trustNewKey, "alice", offer, number)
        let after = try await pair.bob(Operations.gifts, "alice", nil)
        #expect(after.map(\.id) == before.map(\.id) && after.count == 2)
        let peer = try await other.vault(Operations.identity).peerID
        #expect(after.allSatisfy { $0.peerID == peer && $0.contact == "alice" })
    }

    @Test func `a vault remembers ten thousand gifts, and those it has go on`() async throws {
        let pair = try await GiftCouple()
        for name in ["x", "y"] { try await pair.set(name, ["password": "one"], by: pair.alice) }
        let (first, other) = (try await pair.send("x"), try await pair.send("y"))
        _ = try await pair.take(first)
        for person in [pair.couple.alice, pair.couple.bob] {
            let count = try await person.vault(Operations.gifts, nil, nil).count
            let peer = try #require(try await person.vault(Operations.gifts, nil, nil).first).peerID
            var set = ChangeSet(floor: try person.store.read { (reader) throws(StoreError) in reader.floor })
            for _ in count..<Gift.maximum {
                let gift = Gift(
                    id: Entropy.system.bytes(Gift.idSize),
                    contact: peer,
                    way: .out,
                    secret: "other",
                    version: 1,
                    at: 1,
                    digest: [UInt8](repeating: 0, count: 32)
                )
                set.put(try gift.draft(), expecting: 0)
            }
            _ = try person.store.commit(set)
        }
        let refusal = VaultError.secret(.tooMuch(limit: Gift.maximum))
        try await pair.set("z", ["password": "z"], by: pair.alice)
        await #expect(throws: refusal) { try await pair.send("z") }
        await #expect(throws: refusal) { try await pair.take(other) }
        try await pair.set("x", ["password": "two"], by: pair.alice)
        #expect(try await pair.take(try await pair.send("x")).act == .versioned)
    }

    @Test func `the question about a gift names the key of one-time passwords`() {
        var request = GiftRequest("x", to: "bob")
        #expect(Operations.sendGift.request(request).policy.details.isEmpty)
        request.includesTOTP = true
        #expect(Operations.sendGift.request(request).policy.details.count == 1)
        request.fields = ["password"]
        #expect(Operations.sendGift.request(request).policy.details.isEmpty)
        request.fields = ["password", "totp"]
        request.allowsUnverified = true
        #expect(Operations.sendGift.request(request).policy.details.count == 2)
    }
}
