import HSIP
import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// Secrets that are not given, and parcels that are not taken: nothing is changed by them.
struct GiftRefusalTests {
    private func refused(
        _ error: VaultError,
        by person: Person,
        _ act: () async throws -> Void
    ) async throws {
        let before = try person.faulty().commits
        await #expect(throws: error) { try await act() }
        #expect(try person.faulty().commits == before)
    }

    @Test
    func `nothing is given to who was not compared, is suspicious or revoked, unless that was asked for`()
        async throws
    {
        let couple = try await Couple()
        let alice = couple.alice.vault
        var change = CredentialChange()
        try change.put("one", in: "password")
        _ = try await alice(Operations.setCredential, "x", change)
        try await refused(.gift(.contactUnverified), by: couple.alice) {
            _ = try await alice(Operations.sendGift, GiftRequest("x", to: "bob"))
        }
        var anyway = GiftRequest("x", to: "bob")
        anyway.allowsUnverified = true
        #expect(try await alice(Operations.sendGift, anyway).sent == 1)
        _ = try await alice(Operations.setContact, "bob", ContactChange(requiresVerification: true))
        try await refused(.notVerified, by: couple.alice) { _ = try await alice(Operations.sendGift, anyway) }
        _ = try await alice(Operations.revokeSessions, "bob", .none)
        _ = try await alice(Operations.setContact, "bob", ContactChange(requiresVerification: false))
        try await refused(.hsip(.revoked), by: couple.alice) {
            _ = try await alice(Operations.sendGift, anyway)
        }
        await #expect(throws: VaultError.hsip(.unknownContact)) {
            try await alice(Operations.sendGift, GiftRequest("x", to: "nobody"))
        }
    }

    @Test func `after a restore nothing is given until the session is renewed`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.send("x")
        try pair.couple.alice.faulty().raiseFloor()
        let refusal = await #expect(throws: VaultError.self) {
            try await pair.send("x") { $0.allowsUnverified = true }
        }
        guard case .hsip(.restored) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }

    @Test func `nothing is taken from a suspicious contact or under a session that ended`() async throws {
        let couple = try await Couple()
        let (alice, bob) = (couple.alice.vault, couple.bob.vault)
        var change = CredentialChange()
        try change.put("one", in: "password")
        _ = try await alice(Operations.setCredential, "x", change)
        var anyway = GiftRequest("x", to: "bob")
        anyway.allowsUnverified = true
        let early = try await alice(Operations.sendGift, anyway)
        // A second answer to one offer makes the first one suspicious.
        let carol = try await Person("Carol", clock: couple.clock)
        let offer = try #require(try await bob(Operations.makeOffer, OfferRequest(), nil).code)
        _ = try await bob(
            Operations.accept,
            try #require(try await alice(Operations.accept, offer, AcceptOptions()).code),
            AcceptOptions()
        )
        let second = try #require(try await carol.vault(Operations.accept, offer, AcceptOptions()).code)
        await #expect(throws: VaultError.self) { try await bob(Operations.accept, second, AcceptOptions()) }
        #expect(try await bob(Operations.contact, "alice").contact.trust == .suspicious)
        try await refused(.gift(.contactSuspicious), by: couple.bob) {
            _ = try await bob(Operations.takeGift, GiftAcceptance([early.parcel]))
        }
        var back = GiftRequest("y", to: "alice")
        back.allowsUnverified = true
        _ = try await bob(Operations.setCredential, "y", change)
        try await refused(.gift(.contactSuspicious), by: couple.bob) {
            _ = try await bob(Operations.sendGift, back)
        }
        _ = try await bob(Operations.revokeSessions, "alice", .none)
        await #expect(throws: VaultError.self) {
            try await bob(Operations.takeGift, GiftAcceptance([early.parcel]))
        }
        #expect(try await bob.credentials().map(\.name) == ["y"])
    }

    @Test func `a parcel that was changed, cut, is my own or is no parcel is refused`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        let parcel = try await pair.send("x").parcel
        let bob = pair.couple.bob
        for place in stride(from: 0, to: parcel.count, by: 7) {
            var changed = parcel
            changed[place] ^= 1
            let before = try bob.faulty().commits
            await #expect(throws: VaultError.self, "byte \(place)") {
                try await pair.bob(Operations.takeGift, GiftAcceptance([changed]))
            }
            #expect(try bob.faulty().commits == before)
        }
        try await refused(.hsip(.cannotOpen), by: bob) {
            _ = try await pair.bob(Operations.takeGift, GiftAcceptance([parcel.dropLast()]))
        }
        try await refused(.hsip(.ownGift), by: pair.couple.alice) {
            _ = try await pair.alice(Operations.takeGift, GiftAcceptance([parcel]))
        }
        for readings in [[], [[]], [parcel, parcel, parcel, parcel], [parcel, [1]]] {
            try await refused(.hsip(.malformedGift), by: bob) {
                _ = try await pair.bob(Operations.takeGift, GiftAcceptance(readings))
            }
        }
        let long = parcel + [UInt8](repeating: 0, count: SealedParcel.longest + 1 - parcel.count)
        try await refused(.hsip(.malformedGift), by: bob) {
            _ = try await pair.bob(Operations.takeGift, GiftAcceptance([long]))
        }
        // A file's key under the magic of a parcel opens nothing.
        let digest = [UInt8](repeating: 7, count: FileDigest.size)
        let file = try await pair.alice(Operations.sealFileKey, "bob", digest)
        let header = try FileHeader(keyMessage: file.message.envelope, for: .parcel)
        try await refused(.hsip(.cannotOpen), by: bob) {
            _ = try await pair.bob(
                Operations.takeGift,
                GiftAcceptance([header.bytes + [UInt8](repeating: 0, count: 40)])
            )
        }
        #expect(try await pair.take(SentGift.sample(parcel)).act == .added)
    }

    /// What someone with their own program may seal under their session with Bob.
    private func forged(_ parcel: Parcel, by person: Person) async throws -> [UInt8] {
        let vault = Vault(store: person.store, clock: { person.clock.now })
        return try await vault.forge(parcel, for: "bob")
    }

    private func parcel(
        _ act: Parcel.Act = .give,
        gift: [UInt8],
        name: String = "x",
        password: String = "evil"
    ) throws -> Parcel {
        let credential = try Credential(.login, [CredentialField("password", text: password)], at: 9)
        return try Parcel(
            act,
            gift: gift,
            version: 1,
            made: 1_800_000_000,
            name: name,
            content: act == .give ? credential.content() : nil
        )
    }

    @Test
    func `the number of another contact's gift, or of one's own, is refused, for a gift and a withdrawal`()
        async throws
    {
        let pair = try await GiftCouple()
        let carol = try await Person("Carol", clock: pair.couple.clock)
        try await carol.pair(with: pair.couple.bob)
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        try await pair.set("own", ["password": "o"], by: pair.bob)
        _ = try await pair.bob(Operations.sendGift, GiftRequest("own", to: "alice"))
        for gift in try await pair.bob(Operations.gifts, nil, nil) {
            for act in [Parcel.Act.give, .withdraw] {
                let bytes = try await forged(try parcel(act, gift: gift.id, name: "z"), by: carol)
                let error = VaultError.gift(act == .give ? .ofAnother : .unknown)
                try await refused(error, by: pair.couple.bob) {
                    _ = try await pair.bob(Operations.takeGift, GiftAcceptance([bytes]))
                }
            }
        }
        // Alice may not withdraw what Bob gave to her, nor what no one gave.
        let mine = try #require(try await pair.bob(Operations.gifts, nil, nil).first { $0.isMine })
        for gift in [mine.id, [UInt8](repeating: 1, count: 16)] {
            let bytes = try await forged(try parcel(.withdraw, gift: gift), by: pair.couple.alice)
            try await refused(.gift(.unknown), by: pair.couple.bob) {
                _ = try await pair.bob(Operations.takeGift, GiftAcceptance([bytes]))
            }
        }
        try await refused(.gift(.unknown), by: pair.couple.alice) {
            _ = try await pair.alice(Operations.withdrawGift, "own", "bob")
        }
        #expect(try await pair.value("x", in: pair.bob) == "one")
        #expect(try await pair.value("own", in: pair.bob) == "o")
    }

    @Test func `a name that is taken, or looks like another, is taken only under a name that was asked for`()
        async throws
    {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "mine"], by: pair.bob)
        for (name, error) in [
            ("x", CredentialError.nameTaken), ("x\u{200B}", .badName), ("\u{2800}", .badName),
        ] {
            let gift = Entropy.system.bytes(16)
            let bytes = try await forged(try parcel(gift: gift, name: name), by: pair.couple.alice)
            try await refused(.secret(error), by: pair.couple.bob) {
                _ = try await pair.bob(Operations.takeGift, GiftAcceptance([bytes]))
            }
            var acceptance = GiftAcceptance([bytes])
            acceptance.name = "from alice \(gift[0])-\(gift[1])"
            #expect(try await pair.bob(Operations.takeGift, acceptance).act == .added)
        }
        #expect(try await pair.value("x", in: pair.bob) == "mine")
        for name in ["", "a\nb", " x"] {
            let bytes = try await forged(
                try parcel(gift: Entropy.system.bytes(16), name: "y"),
                by: pair.couple.alice
            )
            var acceptance = GiftAcceptance([bytes])
            acceptance.name = name
            try await refused(.secret(.badName), by: pair.couple.bob) {
                _ = try await pair.bob(Operations.takeGift, acceptance)
            }
        }
    }

    @Test func `another type never replaces a copy, and a version of tomorrow is of today`() async throws {
        let pair = try await GiftCouple()
        try await pair.set("x", ["password": "one"], by: pair.alice)
        _ = try await pair.take(try await pair.send("x"))
        let id = try #require(try await pair.bob(Operations.gifts, nil, nil).first).id
        let version = try CredentialVersion(
            number: 5,
            created: Credential.latestTime,
            fields: [CredentialField("text", text: "t")]
        )
        let made = pair.couple.clock.now + 1
        func parcel(_ kind: CredentialKind) throws -> Parcel {
            let content = try Credential(kind, versions: [version]).content()
            return try Parcel(.give, gift: id, version: 5, made: made, name: "x", content: content)
        }
        let note = try await forged(try parcel(.note), by: pair.couple.alice)
        try await refused(.secret(.kindDiffers), by: pair.couple.bob) {
            _ = try await pair.bob(Operations.takeGift, GiftAcceptance([note]))
        }
        let login = try await forged(try parcel(.login), by: pair.couple.alice)
        #expect(try await pair.bob(Operations.takeGift, GiftAcceptance([login])).act == .versioned)
        #expect(
            try await pair.bob(Operations.credential, "x", .kept).summary.changed == pair.couple.clock.now
        )
    }

    @Test func `a version of any height leaves room for those that are made here`() async throws {
        let pair = try await GiftCouple()
        func parcel(_ version: UInt32, made: UInt64) throws -> Parcel {
            let content = try Credential(
                .login,
                versions: [
                    CredentialVersion(
                        number: version,
                        created: 1_800_000_000,
                        fields: [CredentialField("password", text: "\(version)")]
                    )
                ]
            ).content()
            let gift = [UInt8](repeating: 8, count: 16)
            return try Parcel(.give, gift: gift, version: version, made: made, name: "x", content: content)
        }
        for (version, number, made) in [
            (Parcel.highestKept, Parcel.highestKept, 1), (Parcel.highestVersion, Parcel.highestKept + 1, 2),
        ] as [(UInt32, UInt32, UInt64)] {
            let sealed = try parcel(version, made: 1_800_000_000 + made)
            let bytes = try await forged(sealed, by: pair.couple.alice)
            _ = try await pair.bob(Operations.takeGift, GiftAcceptance([bytes]))
            #expect(try await pair.bob(Operations.credential, "x", .kept).summary.version == number)
        }
        // It is as the giver sent it, so that a withdrawal needs no yes; and it can be given on.
        #expect(try await pair.bob(Operations.gifts, nil, nil).map(\.version) == [Parcel.highestVersion])
        try await pair.set("x", ["password": "mine"], by: pair.bob)
        let sent = try await pair.bob(Operations.sendGift, GiftRequest("x", to: "alice"))
        #expect(sent.version == Parcel.highestKept + 2)
    }

    @Test func `a withdrawal names nothing to a contact who was not compared`() async throws {
        let couple = try await Couple()
        var change = CredentialChange()
        try change.put("one", in: "password")
        _ = try await couple.alice.vault(Operations.setCredential, "db/prod", change)
        var request = GiftRequest("db/prod", to: "bob")
        request.allowsUnverified = true
        let sent = try await couple.alice.vault(Operations.sendGift, request)
        _ = try await couple.bob.vault(Operations.takeGift, GiftAcceptance([sent.parcel]))
        let withdrawn = try await couple.alice.vault(Operations.withdrawGift, "db/prod", "bob")
        #expect(withdrawn.secret == "db/prod")
        let away = try await couple.bob.vault(Operations.takeGift, GiftAcceptance([withdrawn.parcel]))
        #expect(away.act == .putAway && away.name == "db/prod" && away.givenName == "secret")
    }

    @Test func `a share arrives as a note under the giver's name`() async throws {
        let pair = try await GiftCouple()
        let words = Array(repeating: "academic", count: 20).joined(separator: " ")
        let share = try Parcel(
            .share,
            gift: [UInt8](repeating: 6, count: 16),
            version: 1,
            made: 1_800_000_000,
            name: "share of alice",
            note: "3 of 5",
            content: Secret(copying: Array(words.utf8))
        )
        let taken = try await pair.bob(
            Operations.takeGift,
            GiftAcceptance([try await forged(share, by: pair.couple.alice)])
        )
        #expect(taken.isShare && taken.name == "share/alice" && taken.kind == .note && taken.note == "3 of 5")
        #expect(try await pair.value("share/alice", in: pair.bob) == words)
        #expect(try await pair.bob(Operations.credential, "share/alice", .kept).summary.tags == ["share"])
    }
}

extension Vault {
    /// Seals any parcel under the session with a contact, as a program that is not this one might.
    fileprivate func forge(_ parcel: Parcel, for alias: String) throws -> [UInt8] {
        let plaintext = try parcel.plaintext()
        var digest = FileDigest()
        digest.add(plaintext)
        let sealed = digest.finish(isWhole: true)
        let acted = try perform(.sending([alias])) { book throws(VaultError) in
            .sendFileKey(try book.named(alias).peerID, digest: sealed, for: .parcel)
        }
        guard case .reserved(let reserved) = acted.outcome.product, let key = reserved.fileKey else {
            throw VaultError.hsip(.noSession)
        }
        return try SealedParcel(sealing: plaintext, keyMessage: reserved.seal(key), key: key).bytes
    }
}

extension SentGift {
    fileprivate static func sample(_ parcel: [UInt8]) -> SentGift {
        SentGift(
            parcel: parcel,
            contact: "bob",
            secret: "x",
            version: 1,
            fields: [],
            expires: nil,
            sent: 1,
            limit: 1,
            endsAt: 1,
            notices: []
        )
    }
}
