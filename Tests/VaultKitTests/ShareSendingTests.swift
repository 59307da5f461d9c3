import Credentials
import HSIP
import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit

/// A share of a recovery secret goes from vault to vault, to contacts who were compared.
struct ShareSendingTests {
    private let words = Array(repeating: "academic", count: 20).joined(separator: " ")

    private func share(for contact: String, _ words: String) throws -> GiftRequest {
        var request = GiftRequest("shares 2 of 3", to: contact)
        request.note = "2 of 3"
        request.share = try Secret(copying: Array(words.utf8))
        return request
    }

    @Test(arguments: [Backend.carried, .file])
    func `its holder keeps it as a note, and its giver keeps no word of it`(on backend: Backend) async throws
    {
        let pair = try await GiftCouple(backend)
        let sent = try await pair.alice.sendGift(try share(for: "bob", words))
        #expect(sent.secret == "shares 2 of 3" && sent.fields.isEmpty)
        let taken = try await pair.take(sent)
        #expect(taken.isShare && taken.name == "share/alice" && taken.note == "2 of 3")
        #expect(try await pair.value("share/alice", in: pair.bob) == words)
        #expect(try await pair.alice.credentials().isEmpty)
        let gift = try #require(try await pair.alice.gifts().first)
        #expect(gift.secret == "shares 2 of 3" && gift.current == nil && gift.contact == "bob")
        let store = pair.couple.alice.store
        let bodies = try store.read { (reader) throws(StoreError) in
            var bodies: [[UInt8]] = []
            for info in try reader.list(try RecordKind("secret.gift")) {
                if let record = try reader.find(info.id) {
                    bodies.append(record.body.withBytes { $0.copied() })
                }
            }
            return bodies
        }
        #expect(bodies == [[1] + [UInt8](repeating: 0, count: 40)])
        // A secret of that name is another gift, and the share can be asked back.
        try await pair.set("shares 2 of 3", ["password": "p"], by: pair.alice)
        let other = try await pair.take(try await pair.send("shares 2 of 3"))
        #expect(other.act == .added && other.name == "shares 2 of 3")
    }

    @Test func `a share that was withdrawn goes into the holder's trash`() async throws {
        let pair = try await GiftCouple()
        _ = try await pair.take(try await pair.alice.sendGift(try share(for: "bob", words)))
        let away = try await pair.take(try await pair.alice.withdrawGift("shares 2 of 3", from: "bob"))
        #expect(away.act == .putAway && away.name == "share/alice")
    }

    @Test func `nothing overrides that its holder was not compared`() async throws {
        let couple = try await Couple()
        var request = try share(for: "bob", words)
        request.allowsUnverified = true
        let commits = try couple.alice.faulty().commits
        await #expect(throws: VaultError.gift(.contactUnverified)) {
            try await couple.alice.vault.sendGift(request)
        }
        #expect(try couple.alice.faulty().commits == commits)
    }

    @Test(arguments: ["academic", "Academic " + Array(repeating: "acid", count: 19).joined(separator: " ")])
    func `what are not twenty words is no share`(words: String) async throws {
        let pair = try await GiftCouple()
        await #expect(throws: VaultError.secret(.malformedGift)) {
            try await pair.alice.sendGift(try share(for: "bob", words))
        }
    }
}
