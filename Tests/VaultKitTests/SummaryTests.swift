import HSIP
import Testing
import VaultCrypto
import VaultKit

struct SummaryTests {
    @Test(arguments: Backend.allCases)
    func `a session tells its role, its stamp and whether it is confirmed`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        let mine = try #require(try await couple.alice.vault(Operations.contact, "bob").sending)
        let theirs = try #require(try await couple.bob.vault(Operations.contact, "alice").sending)
        #expect(mine.role == .offerer && mine.isConfirmed && mine.state == .active)
        #expect(theirs.role == .answerer && !theirs.isConfirmed && theirs.state == .unconfirmed)
        #expect(mine.answeredAt == theirs.answeredAt)
        #expect(mine.answeredAt == couple.clock.now)
        #expect(mine.emoji == theirs.emoji && mine.emoji.count == 12)
    }

    @Test(arguments: Backend.allCases)
    func `a renewal is started by one, prepared by the other, and leaves an epoch behind`(
        on backend: Backend
    ) async throws {
        let couple = try await Couple(backend)
        let rotate = try #require(
            try await couple.alice.vault(Operations.nextCode, "bob", OfferRequest()).code
        )
        #expect(try await couple.alice.vault(Operations.contact, "bob").sending?.renewal == .started)
        let accept = try #require(try await couple.bob.vault(Operations.accept, rotate, AcceptOptions()).code)
        let prepared = try #require(try await couple.bob.vault(Operations.contact, "alice").sending)
        #expect(prepared.renewal == .prepared && prepared.state == .rotating && prepared.epoch == 0)
        _ = try await couple.alice.vault(Operations.accept, accept, AcceptOptions())
        let renewed = try #require(try await couple.alice.vault(Operations.contact, "bob").sending)
        #expect(renewed.renewal == .none && renewed.epoch == 1 && renewed.previousEpochs == 1)
        #expect(renewed.state == .grace)
    }

    @Test(arguments: Backend.allCases)
    func `a code that is shown again says so`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        let first = try await couple.alice.vault(Operations.nextCode, "bob", OfferRequest())
        let again = try await couple.alice.vault(Operations.nextCode, "bob", OfferRequest())
        #expect(!first.isCached && again.isCached)
        #expect(first.code == again.code)
        let rotate = try #require(first.code)
        #expect(try await !couple.bob.vault(Operations.accept, rotate, AcceptOptions()).isCached)
        #expect(try await couple.bob.vault(Operations.accept, rotate, AcceptOptions()).isCached)
    }

    @Test(arguments: Backend.allCases)
    func `an end is remembered with its author, its time and its reason`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        let rotate = try #require(try await couple.bob.vault(Operations.nextCode, "alice", .init()).code)
        #expect(rotate.kind == .answer, "unconfirmed: the answer comes first")
        let own = try #require(try await couple.alice.vault(Operations.nextCode, "bob", OfferRequest()).code)
        couple.clock.advance(by: 60)
        let notice = try #require(
            try await couple.alice.vault(Operations.revokeSessions, "bob", .lostDevice).code
        )
        _ = try await couple.bob.vault(Operations.accept, notice, AcceptOptions())
        let mine = try #require(try await couple.alice.vault(Operations.ending, "bob"))
        let theirs = try #require(try await couple.bob.vault(Operations.ending, "alice"))
        #expect(mine == Contact.End(byPeer: false, at: couple.clock.now, reason: .lostDevice))
        #expect(theirs == Contact.End(byPeer: true, at: couple.clock.now, reason: .lostDevice))
        let summary = try await couple.bob.vault(Operations.contact, "alice")
        #expect(summary.sessions.isEmpty && summary.ended.map(\.end) == [theirs])
        await #expect(throws: VaultError.hsip(.revoked)) {
            try await couple.bob.vault(Operations.accept, own, AcceptOptions())
        }
        let named = try #require(try await couple.bob.vault.ending(namedBy: own))
        #expect(named.alias == "alice" && named.end.end == theirs)
    }

    @Test(arguments: Backend.allCases)
    func `an ended identity tells its own notice`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        couple.clock.advance(by: 600)
        let notice = try await couple.bob.vault(Operations.revocationNotice)
        _ = try await couple.alice.vault(Operations.accept, .revoke(notice), AcceptOptions())
        let end = try #require(try await couple.alice.vault(Operations.ending, "bob"))
        #expect(end == Contact.End(byPeer: true, at: couple.clock.now, reason: .none))
    }

    @Test(arguments: Backend.allCases)
    func `an imported key is known by its owner, also after its end`(on backend: Backend) async throws {
        let alice = try await Couple(backend).alice
        let key = Secret(try Entropy.system.secret(32))
        let peer = try #require(PeerID(bytes: Entropy.system.bytes(32)))
        #expect(try await alice.vault(Operations.owner, key) == nil)
        _ = try await alice.vault(Operations.importKey, LegacyImport(key: key, peerID: peer, alias: "old"))
        #expect(try await alice.vault(Operations.owner, key) == "old")
        _ = try await alice.vault(Operations.revokeSessions, "old", .none)
        #expect(try await alice.vault(Operations.owner, key) == "old")
        #expect(try await alice.vault(Operations.contact, "old").ended.first?.isLegacy == true)
    }

    @Test(arguments: Backend.allCases)
    func `a contact knows since when it is known`(on backend: Backend) async throws {
        let couple = try await Couple(backend)
        let made = couple.clock.now
        couple.clock.advance(by: 5_000)
        _ = try await couple.alice.vault(Operations.setContact, "bob", ContactChange(note: "met in Leiden"))
        #expect(try await couple.alice.vault(Operations.contact, "bob").created == made)
        #expect(try await couple.alice.vault(Operations.contacts, .kept).map(\.created) == [made])
    }
}
