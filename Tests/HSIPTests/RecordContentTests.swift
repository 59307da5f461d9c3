import HSIP
import Support
import Testing
import VaultCrypto

/// The bytes of the seven record kinds (Schemas/record-content.md).
struct RecordContentTests {
    private static let suiteOne = Result { try sample(.one) }
    private static let suiteTwo = Result { try sample(.two) }

    /// A book with the fullest record of every kind, as acts make them.
    private static func sample(_ suite: Suite) throws -> Book {
        let duo = try Duo()
        let (alice, bob) = (duo.alice, duo.bob)
        let request = OfferRequest(suite: suite)
        try alice.pair(with: bob, request)
        try alice.say("hello", to: bob)
        try bob.say("hello yourself", to: alice)
        if suite == .one {
            try alice.perform(.setSuite(bob.id, .one))
            try bob.perform(.setSuite(alice.id, .one))
        }
        for round in 1...2 {
            try alice.renew(with: bob)
            try alice.say("\(round)", to: bob)
            try bob.say("\(round)", to: alice)
        }
        // Two replaced epochs, a prepared one, and an attempt of Bob's own.
        let brief = CodeOptions(reply: OfferRequest(ttlMinutes: 1))
        _ = try bob.accept(try alice.rotate(bob), brief)
        duo.clock.advance(.hour)
        _ = try bob.rotate(alice)
        try bob.perform(.setName(String(repeating: "n", count: 40)))
        for _ in 0..<2 {
            try bob.pair(with: alice, request)
            duo.clock.advance(1)
        }
        let open = try bob.offer(for: alice)
        _ = try bob.perform(.closeOffers)
        _ = try (bob.offer(for: alice), open)
        _ = try bob.answer(try alice.offer(request))
        let carol = try duo.stranger()
        try bob.take(.revoke(carol.book.identity.revocation), CodeOptions(isConfirmed: true))
        let (dan, erin) = (try duo.stranger("Dan"), try duo.stranger("Erin"))
        try bob.pair(with: dan, request)
        _ = try bob.revoke(dan, .compromised)
        try bob.perform(
            .importLegacy(
                LegacyImport(key: Secret(bob.entropy.secret(32)), peerID: erin.id, alias: "old app")
            )
        )
        _ = try bob.seal("x", to: erin)
        try bob.perform(.matched(alice.id, .emoji))
        let note = String(repeating: "n", count: Contact.longestNote)
        try bob.perform(
            .setContact(
                alice.id,
                ContactChange(
                    alias: String(repeating: "a", count: Alias.longest),
                    note: note,
                    requiresVerification: true
                )
            )
        )
        return bob.book
    }

    private func book(_ suite: Suite) throws -> Book {
        try (suite == .one ? Self.suiteOne : Self.suiteTwo).get()
    }

    private func keys(_ book: Book) -> [Book.Key] {
        [.identity, .clock] + book.contacts.keys.map { .contact($0) }
            + book.pairings.keys.map { .pairing($0) }
            + book.offers.keys.map { .offer($0) } + book.revoked.keys.map { .revoked($0) }
            + book.seen.keys.map { .seen($0) }
    }

    /// The content that reading and writing `bytes` gives; nil if they are refused.
    private func again(_ key: Book.Key, _ bytes: [UInt8]) throws -> [UInt8]? {
        let content = try Secret(copying: bytes)
        do throws(HSIPError) {
            let written: Secret =
                switch key {
                case .identity: try RecordContent.encode(try RecordContent.identity(content))
                case .clock: try RecordContent.encode(try RecordContent.clock(content))
                case .contact(let peer):
                    try RecordContent.encode(try RecordContent.contact(content, peerID: peer))
                case .pairing(let id): try RecordContent.encode(try RecordContent.pairing(content, id: id))
                case .offer(let ref): try RecordContent.encode(try RecordContent.offer(content, ref: ref))
                case .revoked: try RecordContent.encode(try RecordContent.revoked(content))
                case .seen: try RecordContent.encode(try RecordContent.seen(content))
                }
            return written.withBytes { $0.copied() }
        } catch {
            return nil
        }
    }

    private func bytes(_ key: Book.Key, _ book: Book) throws -> [UInt8] {
        try #require(try TestRecords.content(of: key, in: book)).withBytes { $0.copied() }
    }

    @Test(arguments: Suite.allCases)
    func `the sample has a record of every kind and state`(suite: Suite) throws {
        let book = try book(suite)
        #expect(!book.revoked.isEmpty && !book.seen.isEmpty && book.clock.mark > 0)
        #expect(book.pairings.values.contains { $0.rotation == nil })
        #expect(book.pairings.values.contains { $0.profile == .single })
        #expect(
            book.pairings.values.contains {
                guard let rotation = $0.rotation else { return false }
                return rotation.next != nil && rotation.out != nil && rotation.past.count == 2
            }
        )
        let sides = book.offers.values.map { offer in
            switch offer.side {
            case .mine(_, _, .open): "open"
            case .mine(_, _, .answered): "answered"
            case .mine(_, _, .closed): "closed"
            case .theirs: "theirs"
            }
        }
        #expect(Set(sides).count == 4)
        #expect(book.contacts.values.contains { $0.pairings.count == 4 })
        #expect(book.contacts.values.contains { $0.ended != nil })
    }

    @Test(arguments: Suite.allCases)
    func `what is written is read as it was`(suite: Suite) throws {
        let book = try book(suite)
        for key in keys(book) {
            let content = try bytes(key, book)
            #expect(try again(key, content) == content)
        }
    }

    @Test(arguments: Suite.allCases)
    func `the fullest pairing and contact stay within their classes`(suite: Suite) throws {
        let book = try book(suite)
        let pairings = try book.pairings.keys.map { try bytes(.pairing($0), book).count }
        #expect(pairings.max() == (suite == .one ? 976 : 3_320))
        let offers = try book.offers.keys.map { try bytes(.offer($0), book).count }
        #expect(try #require(offers.max()) <= (suite == .one ? 508 : 1_500))
        for contact in book.contacts.keys { #expect(try bytes(.contact(contact), book).count <= 1_389) }
        #expect(try bytes(.identity, book).count == 222)
        #expect(try bytes(.clock, book).count == 9)
        for peer in book.revoked.keys { #expect(try bytes(.revoked(peer), book).count == 117) }
    }

    /// An older program reads what has nothing of suite 02, and refuses the rest as newer.
    @Test(arguments: Suite.allCases)
    func `a record has the higher version only for what suite 02 adds`(suite: Suite) throws {
        let book = try book(suite)
        for key in keys(book) {
            let version: UInt8 =
                switch key {
                case .contact(let peer):
                    book.contacts[peer]?.suiteRule == .any ? 1 : 3
                case .pairing(let id):
                    book.pairings[id]?.rotation == nil || book.pairings[id]?.profile == .single
                        ? 1 : suite.rawValue
                case .offer: suite.rawValue
                case .identity, .clock, .revoked, .seen: 1
                }
            #expect(try bytes(key, book).first == version)
        }
        let rules = Set(book.contacts.values.map(\.suiteRule))
        #expect(rules == (suite == .one ? [.any, .onlyOne] : [.any, .onlyTwo]))
    }

    @Test(arguments: Suite.allCases)
    func `the fields that people see come back`(suite: Suite) throws {
        let book = try book(suite)
        let contact = try #require(book.contacts.values.first { $0.trust == .verified })
        let read = try RecordContent.contact(RecordContent.encode(contact), peerID: contact.peerID)
        #expect(read == contact)
        let identity = try RecordContent.identity(RecordContent.encode(book.identity))
        #expect(identity.name == book.identity.name && identity.peerID == book.identity.peerID)
        #expect(identity.revocation == book.identity.revocation)
        #expect(areEqual(identity.seed, book.identity.seed))
        let notice = try #require(book.revoked.values.first)
        #expect(try RecordContent.revoked(RecordContent.encode(notice)) == notice)
        for mark in [ClockMark(mark: 5, jumpAt: 7), ClockMark(mark: 7, jumpAt: 7, certain: 5)] {
            #expect(try RecordContent.clock(RecordContent.encode(mark)) == mark)
        }
        let nonces = SeenNonces([[UInt8](repeating: 2, count: 12), [UInt8](repeating: 1, count: 12)])
        #expect(try RecordContent.seen(RecordContent.encode(nonces)) == nonces)
    }

    @Test(arguments: Suite.allCases)
    func `a content that is cut or longer is refused`(suite: Suite) throws {
        let book = try book(suite)
        for key in keys(book) {
            let content = try bytes(key, book)
            for count in 0..<content.count {
                guard case .seen = key, count % 12 == 1 else {
                    #expect(try again(key, Array(content.prefix(count))) == nil)
                    continue
                }
            }
            #expect(try again(key, content + [0]) == nil)
        }
    }

    @Test(arguments: Suite.allCases)
    func `a changed byte is refused, or is what another content would say`(suite: Suite) throws {
        let book = try book(suite)
        var refused = 0
        for key in keys(book) {
            let content = try bytes(key, book)
            for place in content.indices {
                for change in [0x01, 0x02, 0x04, 0x10, 0x80, 0xFF] as [UInt8] {
                    var changed = content
                    changed[place] ^= change
                    guard let read = try again(key, changed) else {
                        refused += 1
                        continue
                    }
                    #expect(read == changed, "byte \(place) of \(content.count)")
                }
            }
        }
        #expect(refused > 1_000)
    }

    @Test(arguments: Suite.allCases)
    func `another version is of a newer program`(suite: Suite) throws {
        let book = try book(suite)
        for key in keys(book) {
            var content = try bytes(key, book)
            content[0] = 9
            let secret = try Secret(copying: content)
            #expect(throws: HSIPError.unsupportedVersion) {
                switch key {
                case .identity: _ = try RecordContent.identity(secret)
                case .clock: _ = try RecordContent.clock(secret)
                case .contact(let peer): _ = try RecordContent.contact(secret, peerID: peer)
                case .pairing(let id): _ = try RecordContent.pairing(secret, id: id)
                case .offer(let ref): _ = try RecordContent.offer(secret, ref: ref)
                case .revoked: _ = try RecordContent.revoked(secret)
                case .seen: _ = try RecordContent.seen(secret)
                }
            }
        }
    }

    @Test(arguments: Suite.allCases)
    func `numbers that no act makes are refused`(suite: Suite) throws {
        let book = try book(suite)
        let full = try #require(book.pairings.values.first { $0.rotation?.out != nil })
        let good = try #require(full.rotation)
        func refused(_ change: (inout Rotation<HSIPScheme>) -> Void) throws -> Bool {
            var (pairing, rotation) = (full, good)
            change(&rotation)
            pairing.state = .live(rotation)
            return try again(.pairing(full.id), RecordContent.encode(pairing).withBytes { $0.copied() })
                == nil
        }
        #expect(try !refused { _ in })
        #expect(try refused { $0.current.sent = $0.current.limit + 1 })
        #expect(
            try refused {
                ($0.next, $0.out) = (nil, nil)
                $0.past.append($0.past[0])
            }
        )
        // Behind replaced epochs of suite 02 no epoch has suite 01.
        #expect(
            try refused {
                $0.current = Epoch(
                    number: $0.current.number,
                    name: $0.current.name,
                    suite: .one,
                    keys: $0.current.keys,
                    end: $0.current.end,
                    limit: $0.current.limit
                )
            } == (suite == .two)
        )
        for (number, limit) in [(UInt32.max, 1_000), (1, 1_001), (1, 0)] as [(UInt32, UInt16)] {
            #expect(
                try refused {
                    $0.current = Epoch(
                        number: number,
                        name: $0.current.name,
                        suite: $0.current.suite,
                        keys: $0.current.keys,
                        end: 1,
                        limit: limit
                    )
                }
            )
        }
    }

    @Test func `nonces out of order are refused`() throws {
        let one = [UInt8](repeating: 1, count: 12)
        let two = [UInt8](repeating: 2, count: 12)
        let key = Book.Key.seen(.init(epoch: [UInt8](repeating: 0, count: 8), nibble: 0))
        #expect(try again(key, [1] + one + two) == [1] + one + two)
        #expect(try again(key, [1] + two + one) == nil)
        #expect(try again(key, [1] + one + one) == nil)
    }

    @Test(arguments: Suite.allCases)
    func `nothing of a secret is in what a book prints`(suite: Suite) throws {
        let book = try book(suite)
        var text = ""
        dump(book, to: &text)
        text += "\(book)"
        let secrets = [book.identity.seed] + book.pairings.values.compactMap(\.rotation?.current.keys.chain)
        for secret in secrets {
            let bytes = secret.withBytes { $0.copied() }
            #expect(!text.contains(Hex.encode(bytes)))
            // dump() prints an array one number a line.
            let lines = bytes.prefix(4).map { "- \($0)\n" }
            #expect(!text.replacing(" ", with: "").contains(lines.joined().replacing(" ", with: "")))
        }
    }
}
