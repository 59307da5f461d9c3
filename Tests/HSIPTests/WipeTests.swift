import CMemorySearch
import HSIP
import Support
import Testing
import VaultCrypto

/// What is wiped is gone: the memory of this very process is searched for the bytes of the keys.
@Suite(.serialized)
struct WipeTests {
    @Test func `an ended session leaves no byte pattern of its keys in memory`() throws {
        var numbers: [Int32] = []
        try session { keys in
            for key in [keys.send, keys.chain] {
                try #require(key).withBytes { bytes in
                    unsafe bytes.withUnsafeBytes {
                        unsafe numbers.append(hsip_search_remember($0.baseAddress))
                    }
                }
            }
            // The control: while the session lives, the search does find them.
            for number in numbers { #expect(hsip_search_count(number) > 0) }
        }
        #expect(numbers.count == 2)
        for number in numbers { #expect(hsip_search_count(number) == 0) }
    }

    @Test func `the seeds of ML-KEM, and the keys they unpack to, are gone once their codes are answered`()
        throws
    {
        var numbers: [Int32] = []
        try exchange { seed in
            seed.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { raw in
                    for half in [0, 32] {
                        unsafe numbers.append(hsip_search_remember(raw.baseAddress.map { unsafe $0 + half }))
                    }
                }
            }
            // The control: while the code waits, the search does find both halves.
            for number in numbers.suffix(2) { #expect(hsip_search_count(number) > 0) }
        }
        #expect(numbers.count == 4)
        for number in numbers { #expect(hsip_search_count(number) == 0) }
    }

    /// Pairs and renews, showing the seed of the offer and of the ROTATE while they wait, and keeps nothing.
    private func exchange(_ look: (Secret) -> Void) throws {
        let now: UInt64 = 1_800_000_000
        var alice = Book(identity: try .make(name: "Alice", entropy: .system, wallClock: now))
        var bob = Book(identity: try .make(name: "Bob", entropy: .system, wallClock: now))
        func take(_ code: ExchangeCode?, _ book: inout Book) throws -> ExchangeCode? {
            try book.reduce(.take(#require(code), CodeOptions()), wallClock: now, entropy: .system).code
        }
        let offer = try alice.reduce(.offer(OfferRequest()), wallClock: now, entropy: .system).code
        guard case .mine(_, _, .open(let secret)) = alice.offers.values.first?.side else {
            throw HSIPError.noCode
        }
        look(try #require(secret.kemSeed))
        _ = try take(take(offer, &bob), &alice)
        let peer = bob.identity.peerID
        let rotate = try alice.reduce(.rotate(peer, OfferRequest()), wallClock: now, entropy: .system).code
        let out = try #require(alice.pairings.values.first?.rotation?.out)
        look(try #require(out.ephemeral.kemSeed))
        _ = try take(take(rotate, &bob), &alice)
    }

    @Test func `a message that was looked into for codes leaves its text nowhere in memory`() throws {
        var number: Int32 = -1
        try reading {
            number = $0
            #expect(hsip_search_count(number) > 0)
        }
        #expect(hsip_search_count(number) == 0)
    }

    /// Reads a long message of letters that are nowhere else, keeping nothing.
    private func reading(_ look: (Int32) -> Void) throws {
        let duo = try Duo.acquainted()
        let entropy = Entropy.system
        var letters = [UInt8](repeating: 0x20, count: 3_000)
        for place in letters.indices { letters[place] = 0x61 + entropy.bytes(1)[0] % 26 }
        let number = unsafe letters.withUnsafeBytes { bytes in
            unsafe hsip_search_remember(bytes.baseAddress.map { unsafe $0 + 1_500 })
        }
        let text = try Secret(copying: letters)
        letters.wipe()
        let outcome = try duo.alice.perform(.send(duo.bob.id, plaintext: text))
        guard case .reserved(let reserved) = outcome.product else { throw HSIPError.noSession }
        let read = try duo.bob.perform(.read(try reserved.seal(text), ReadRequest()))
        guard case .opened(let opened) = read.product else { throw HSIPError.cannotOpen }
        // The control: while the message is open, the search does find it.
        look(number)
        #expect(opened.plaintext.count == 3_000)
    }

    /// Pairs two books, writes one message, and ends the session, keeping nothing.
    private func session(_ look: (EpochKeys) throws -> Void) throws {
        let now: UInt64 = 1_800_000_000
        var alice = Book(identity: try .make(name: "Alice", entropy: .system, wallClock: now))
        var bob = Book(identity: try .make(name: "Bob", entropy: .system, wallClock: now))
        let offer = try alice.reduce(.offer(OfferRequest()), wallClock: now, entropy: .system)
        let answer = try bob.reduce(
            .take(try #require(offer.code), CodeOptions()),
            wallClock: now,
            entropy: .system
        )
        _ = try alice.reduce(
            .take(try #require(answer.code), CodeOptions()),
            wallClock: now,
            entropy: .system
        )
        let peer = bob.identity.peerID
        let text = try Secret(copying: Array("hello".utf8))
        let reserved = try alice.reduce(.send(peer, plaintext: text), wallClock: now, entropy: .system)
        if case .reserved(let reserved) = reserved.product { _ = try reserved.seal(text) }
        try look(try #require(alice.pairings.values.first?.rotation?.current.keys))
        _ = try alice.reduce(.revokeSessions(peer, .ended), wallClock: now, entropy: .system)
    }
}
