import HSIP
import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultKit

/// A share of a recovery secret goes from vault to vault, to contacts who were compared.
struct ShareSendingTests {
    private let words = Array(repeating: "academic", count: 20).joined(separator: " ")

    private static let identifier: UInt16 = 0x1A2B

    private func shares(_ holders: [(contact: String, words: String)]) throws -> ShareRequest {
        ShareRequest(
            "shares 2 of 3 1a2b",
            identifier: Self.identifier,
            threshold: 2,
            to: try holders.map {
                ShareRequest.Holder($0.contact, try Secret(copying: Array($0.words.utf8)))
            }
        )
    }

    private func send(_ words: String, by vault: any VaultService) async throws -> SentGift {
        try #require(try await vault(Operations.sendShares, try shares([("bob", words)])).first)
    }

    @Test(arguments: [Backend.carried, .file])
    func `its holder keeps it as a note, and its giver keeps no word of it`(on backend: Backend) async throws
    {
        let pair = try await GiftCouple(backend)
        let sent = try await send(words, by: pair.alice)
        #expect(sent.secret == "shares 2 of 3 1a2b" && sent.fields.isEmpty)
        let taken = try await pair.take(sent)
        #expect(taken.isShare && taken.name == "share/alice" && taken.note == "2 of 1")
        #expect(try await pair.value("share/alice", in: pair.bob) == words)
        #expect(try await pair.alice.credentials().isEmpty)
        let gift = try #require(try await pair.alice(Operations.gifts, nil, nil).first)
        #expect(gift.secret == "shares 2 of 3 1a2b" && gift.current == nil && gift.contact == "bob")
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
        try await pair.set("shares 2 of 3 1a2b", ["password": "p"], by: pair.alice)
        let other = try await pair.take(try await pair.send("shares 2 of 3 1a2b"))
        #expect(other.act == .added && other.name == "shares 2 of 3 1a2b")
    }

    @Test func `a share that was withdrawn goes into the holder's trash`() async throws {
        let pair = try await GiftCouple()
        _ = try await pair.take(try await send(words, by: pair.alice))
        let away = try await pair.take(
            try await pair.alice(Operations.withdrawGift, "shares 2 of 3 1a2b", "bob")
        )
        #expect(away.act == .putAway && away.name == "share/alice")
    }

    @Test func `nothing overrides that its holder was not compared`() async throws {
        let couple = try await Couple()
        let request = try shares([("bob", words)])
        let commits = try couple.alice.faulty().commits
        await #expect(throws: VaultError.gift(.contactUnverified)) {
            try await couple.alice.vault(Operations.sendShares, request)
        }
        #expect(try couple.alice.faulty().commits == commits)
    }

    @Test(arguments: ["academic", "Academic " + Array(repeating: "acid", count: 19).joined(separator: " ")])
    func `what are not twenty words is no share`(words: String) async throws {
        let pair = try await GiftCouple()
        await #expect(throws: VaultError.secret(.malformedGift)) {
            try await send(words, by: pair.alice)
        }
    }

    /// Alice, whom two others know and were compared with.
    private func circle() async throws -> (pair: GiftCouple, carol: Person) {
        let pair = try await GiftCouple(.memory)
        let carol = try await Person("Carol", clock: pair.couple.clock)
        try await pair.couple.alice.pair(with: carol)
        try await GiftCouple.compare(pair.couple.alice, "carol")
        try await GiftCouple.compare(carol, "alice")
        return (pair, carol)
    }

    @Test func `all shares go in one commit, and are kept as they were sealed`() async throws {
        let (pair, carol) = try await circle()
        let other = words.replacing("academic", with: "acid")
        let before = try pair.couple.alice.faulty().commits
        let sent = try await pair.alice(
            Operations.sendShares,
            try shares([("bob", words), ("carol", other)])
        )
        #expect(try pair.couple.alice.faulty().commits == before + 1)
        #expect(sent.map(\.contact) == ["bob", "carol"])
        let kept = try #require(try await pair.alice(Operations.shares).first)
        #expect(kept.name == "shares 2 of 3 1a2b" && kept.threshold == 2)
        #expect(kept.holders.map(\.contact) == ["bob", "carol"])
        // What was lost on the way is the same parcel once more.
        #expect(try await pair.alice(Operations.shareParcel, Self.identifier, "carol") == sent[1].parcel)
        _ = try await carol.vault(Operations.takeGift, GiftAcceptance([sent[1].parcel]))
        #expect(try await pair.value("share/alice", in: carol.vault) == other)
        await #expect(throws: VaultError.gift(.unknown)) {
            try await pair.alice(Operations.shareParcel, 7, "carol")
        }
        await #expect(throws: VaultError.secret(.nameTaken)) {
            try await pair.alice(Operations.sendShares, try shares([("bob", words)]))
        }
        _ = try await pair.alice(Operations.withdrawGift, "shares 2 of 3 1a2b", "bob")
        let withdrawn = try #require(try await pair.alice(Operations.shares).first).holders.map {
            $0.withdrawnAt != nil
        }
        #expect(withdrawn == [true, false])
    }

    @Test func `where one of the holders cannot get theirs, nobody holds one`() async throws {
        let (pair, carol) = try await circle()
        let stranger = try await Person("Dave", clock: pair.couple.clock)
        try await pair.couple.alice.pair(with: stranger)
        let commits = try pair.couple.alice.faulty().commits
        for (last, error) in [
            (("dave", words), VaultError.gift(.contactUnverified)),
            (("carol", "acid"), .secret(.malformedGift)),
            (("bob", words), .secret(.malformedGift)),
        ] {
            await #expect(throws: error) {
                try await pair.alice(Operations.sendShares, try shares([("bob", words), last]))
            }
        }
        #expect(try pair.couple.alice.faulty().commits == commits)
        #expect(try await pair.alice(Operations.gifts, nil, nil).isEmpty)
        #expect(try await pair.alice(Operations.shares).isEmpty)
        withExtendedLifetime(carol) {}
    }

    @Test(arguments: [true, false])
    func `of forgotten shares the holders stay if there may be some`(
        areHeld: Bool
    ) async throws {
        let pair = try await GiftCouple()
        _ = try await send(words, by: pair.alice)
        _ = try await pair.alice(Operations.forgetShares, 7, false)
        #expect(try await pair.alice(Operations.shares).count == 1)
        _ = try await pair.alice(Operations.forgetShares, Self.identifier, areHeld)
        #expect(try await pair.alice(Operations.shares).isEmpty)
        #expect(try await pair.alice(Operations.gifts, nil, nil).count == (areHeld ? 1 : 0))
    }
}
