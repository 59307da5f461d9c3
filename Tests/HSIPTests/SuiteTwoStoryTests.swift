import HSIP
import Support
import Synchronization
import Testing
import VaultCrypto

/// The stories of the vectors, told by two books that draw the numbers that the vectors name: every code comes out byte
/// by byte, in both roles.
struct SuiteTwoStoryTests {
    /// Whose turn it is, what they draw, and at what time.
    private func act(
        _ book: inout Book,
        _ event: Event,
        at time: Int,
        drawing drawn: [[UInt8]] = []
    ) throws -> Outcome {
        let left = Mutex(drawn)
        let entropy = Entropy { count in
            left.withLock { $0.isEmpty ? [UInt8](repeating: 0, count: count) : $0.removeFirst() }
        }
        let outcome = try book.reduce(event, wallClock: UInt64(time), entropy: entropy)
        let isAllDrawn = left.withLock { $0.isEmpty }
        #expect(isAllDrawn)
        return outcome
    }

    private func person(_ seed: [UInt8], _ name: String) throws -> Book {
        let seed = try Secret(copying: seed)
        let key = try Signing.publicKey(seed: seed)
        return Book(
            identity: try Identity(
                seed: seed,
                publicKey: key,
                name: name,
                created: 0,
                revocation: try RevokeCode.ofIdentity(key, seed: seed, reason: .none, issued: 0)
            )
        )
    }

    private func request(_ inputs: ScheduleVector) throws -> OfferRequest {
        OfferRequest(
            ttlMinutes: UInt16(try inputs.number("ttl")),
            lifeHours: UInt16(try inputs.number("life_hours")),
            limit: UInt16(try inputs.number("limit")),
            suite: Suite(rawValue: UInt8(try inputs.number("suite")))
        )
    }

    /// The secret of X25519, and what ML-KEM draws after it.
    private func drawn(_ inputs: ScheduleVector, _ key: String, _ kem: String) throws -> [[UInt8]] {
        [try inputs.hex(key)] + (try inputs.number("suite") == 2 ? [try inputs.hex(kem)] : [])
    }

    @Test(arguments: ScheduleVector.suiteTwo)
    func `two vaults make the codes of the vectors and take each other's`(vector: ScheduleVector) throws {
        let inputs = vector["inputs"]
        var alice = try person(try inputs.hex("idA_seed"), try inputs.string("nameA"))
        var bob = try person(try inputs.hex("idB_seed"), try inputs.string("nameB"))
        let (request, now) = (try request(inputs), try inputs.number("issued"))
        // A fresh offer comes from a vault that lost its sessions; its code is told in the other test.
        guard try !inputs.flag("fresh") else { return }
        let offer = try act(&alice, .offer(request), at: now, drawing: drawn(inputs, "eA", "kem_seed")).code
        #expect(try offer?.bytes == vector.hex("offer", "bytes"))
        let take = CodeOptions(alias: "alice", reply: request)
        let answered = try act(
            &bob,
            .take(#require(offer), take),
            at: now,
            drawing: drawn(inputs, "eB", "kem_random")
        )
        #expect(try answered.code?.bytes == vector.hex("answer", "bytes"))
        let paired = try act(
            &alice,
            .take(#require(answered.code), CodeOptions(alias: "bob", reply: request)),
            at: now
        )
        #expect(paired.notices.contains(.notPostQuantum) == (request.suite == .one))
        try expect(alice, bob, vector["epoch0"])
    }

    @Test(arguments: ScheduleVector.suiteTwo)
    func `both ends of every rotation make its codes and come to its keys`(vector: ScheduleVector) throws {
        let people = [
            try person(try vector["inputs"].hex("idA_seed"), "A"),
            try person(try vector["inputs"].hex("idB_seed"), "B"),
        ]
        var before = vector["epoch0"]
        for (number, rotation) in try vector.list("rotations").enumerated() {
            let (inputs, epoch) = (rotation["inputs"], rotation["epoch"])
            let author = try inputs.number("role")
            func party(_ who: Int, _ entropy: Entropy) -> HSIPScheme.Party {
                let (me, other) = (people[who].identity, people[1 - who].identity)
                return HSIPScheme.Party(
                    identity: me,
                    peerID: other.peerID,
                    peerKey: other.publicKey,
                    role: who == 0 ? .offerer : .answerer,
                    entropy: entropy
                )
            }
            let secrets = try EpochSecrets.derive(prk: try before.hex("prk"))
            let keys = [EpochKeys(secrets, role: .offerer), EpochKeys(secrets, role: .answerer)]
            let made = try HSIPScheme.rotate(
                under: keys[author],
                name: secrets.ref,
                epoch: UInt32(number + 1),
                attempt: UInt16(inputs.number("attempt")),
                suite: #require(Suite(rawValue: UInt8(inputs.number("suite")))),
                terms: RotateCode(bytes: rotation.hex("rotate", "bytes")).terms,
                party: party(author, draw(drawn(inputs, "eI", "kem_seed")))
            )
            #expect(try made.0.bytes == rotation.hex("rotate", "bytes"))
            let accepted = try HSIPScheme.accept(
                made.0,
                under: keys[1 - author],
                terms: AcceptCode(bytes: rotation.hex("accept", "bytes")).terms,
                party: party(1 - author, draw(drawn(inputs, "eR", "kem_random")))
            )
            #expect(try accepted.accept.bytes == rotation.hex("accept", "bytes"))
            let finished = try HSIPScheme.finish(
                accepted.accept,
                of: made.0,
                ephemeral: made.1,
                under: keys[author],
                party: party(author, .system)
            )
            #expect(try finished.name == epoch.hex("ref") && accepted.name == finished.name)
            let chain = try Secret(copying: try epoch.hex("chain"))
            #expect(areEqual(finished.keys.chain, chain) && areEqual(accepted.keys.chain, chain))
            #expect(areEqual(finished.keys.send, accepted.keys.receive))
            before = epoch
        }
    }

    private func draw(_ drawn: [[UInt8]]) -> Entropy {
        let left = Mutex(drawn)
        return Entropy { count in
            left.withLock { $0.isEmpty ? [UInt8](repeating: 0, count: count) : $0.removeFirst() }
        }
    }

    private func expect(_ alice: Book, _ bob: Book, _ epoch: ScheduleVector) throws {
        let mine = try #require(alice.pairings.values.first?.rotation?.current)
        let theirs = try #require(bob.pairings.values.first?.rotation?.current)
        #expect(try mine.name == epoch.hex("ref") && theirs.name == mine.name)
        #expect(areEqual(mine.keys.send, theirs.keys.receive))
        #expect(areEqual(mine.keys.chain, theirs.keys.chain))
        let chain = try Secret(copying: try epoch.hex("chain"))
        #expect(areEqual(mine.keys.chain, chain))
    }
}
