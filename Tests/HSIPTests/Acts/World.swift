import HSIP
import Support
import VaultCrypto

/// Two people to whom a story happens, and someone who watches that every promise is kept.
final class World {
    /// A promise that was not kept.
    enum Broken: Error {
        case keyUsedTooOften, nonceUsedTwice, numberUsedTwice, sealedAfterItsEnd, expiredRevived
        case sealedByASuspectClock, restoredSealed, plaintextLeft
        case openedTwice, openedAsAnother, wrongSender
        case secondTimeChangedSomething, endedRevived, keysDisagree, tooManyPairings
        case neverAgree
    }

    private struct Mail {
        let envelope: MessageEnvelope
        let text: String
        let fromAlice: Bool
        var isOpened = false
    }

    private struct Use {
        var count = 0
        var numbers: Set<UInt16> = []
        var nonces: Set<[UInt8]> = []
    }

    let duo: Duo
    private var mail: [Mail] = []
    private var codes: [ExchangeCode] = []
    /// By a hash of the message key.
    private var uses: [[UInt8]: Use] = [:]
    /// Keys that were refused as expired, by person.
    private var expired: [PeerID: Set<[UInt8]>] = [:]
    private var ended: [PeerID: Set<PairingID>] = [:]
    private var backups: [PeerID: (stored: TestPeer.Stored, ended: Set<PairingID>)] = [:]
    private var wasRestored: Set<PeerID> = []

    init(_ duo: Duo) { self.duo = duo }

    private func pair(_ isAlice: Bool) -> (me: TestPeer, other: TestPeer) {
        isAlice ? (duo.alice, duo.bob) : (duo.bob, duo.alice)
    }

    /// Lets one thing happen; a refusal is part of the story, a broken promise is thrown.
    func happen(_ step: Story.Step) throws {
        do {
            try act(step)
        } catch is HSIPError {}
        try look()
    }

    private func act(_ step: Story.Step) throws {
        switch step {
        case .send(let who): try send(who)
        case .deliver(let number): try deliver(number)
        case .next(let who):
            try show(who, .nextCode(pair(who).other.id, OfferRequest(lifeHours: 3, limit: 3)))
        case .rotate(let who):
            try show(who, .rotate(pair(who).other.id, OfferRequest(lifeHours: 3, limit: 3)))
        case .offer(let who, let isBound):
            let contact = isBound ? pair(who).other.id : nil
            try show(who, .offer(OfferRequest(contact: contact, lifeHours: 3, limit: 3)))
        case .take(let who, let number):
            guard !codes.isEmpty else { return }
            try take(codes[number % codes.count], pair(who).me)
        case .clock(let seconds): duo.clock.advance(Int64(seconds))
        case .skew(let who, let seconds): pair(who).me.skew = Int64(seconds)
        case .revoke(let who): try show(who, .revokeSessions(pair(who).other.id, .ended))
        case .closeOffers(let who): try pair(who).me.performStrictly(.closeOffers)
        case .setClockBack(let who):
            try pair(who).me.performStrictly(.setClockBack)
            expired[pair(who).me.id] = nil
        case .backup(let who):
            let me = pair(who).me
            backups[me.id] = (me.stored, ended[me.id] ?? [])
        case .restore(let who):
            let me = pair(who).me
            guard let backup = backups[me.id] else { return }
            me.restore(backup.stored)
            ended[me.id] = backup.ended
            expired[me.id] = nil
            wasRestored.insert(me.id)
        }
    }

    private func send(_ who: Bool) throws {
        let (me, other) = pair(who)
        let text = "number \(mail.count)"
        let plaintext = try Secret(copying: Array(text.utf8))
        let current = me.settled.contacts[other.id].flatMap { PairingOrder.sending($0.pairings) }
            .flatMap { me.settled.pairings[$0.id]?.rotation?.current }
        let outcome: Outcome
        do {
            outcome = try me.performStrictly(.send(other.id, plaintext: plaintext))
        } catch HSIPError.sessionExpired {
            if let key = current?.keys.send { expired[me.id, default: []].insert(Self.name(of: key)) }
            throw HSIPError.sessionExpired
        }
        guard case .reserved(let reserved) = outcome.product else { return }
        let envelope = try reserved.seal(plaintext)
        try check(reserved, envelope, by: me)
        if Array(envelope.ciphertext) == Array(text.utf8) { throw Broken.plaintextLeft }
        mail.append(Mail(envelope: envelope, text: text, fromAlice: who))
    }

    private func check(_ reserved: ReservedMessage, _ envelope: MessageEnvelope, by me: TestPeer) throws {
        let name = Self.name(of: reserved.key)
        var use = uses[name] ?? Use()
        use.count += 1
        guard use.count <= Int(reserved.limit) else { throw Broken.keyUsedTooOften }
        guard use.numbers.insert(reserved.sent).inserted else { throw Broken.numberUsedTwice }
        guard use.nonces.insert(envelope.nonce).inserted else { throw Broken.nonceUsedTwice }
        uses[name] = use
        let mark = me.book.clock.mark
        guard max(mark, me.wallClock) <= reserved.endsAt else { throw Broken.sealedAfterItsEnd }
        guard mark <= me.wallClock + 3_600 else { throw Broken.sealedByASuspectClock }
        guard expired[me.id]?.contains(name) != true else { throw Broken.expiredRevived }
    }

    private func deliver(_ number: Int) throws {
        guard !mail.isEmpty else { return }
        let index = number % mail.count
        let letter = mail[index]
        let (author, reader) = pair(letter.fromAlice)
        let outcome = try reader.performStrictly(.read(letter.envelope, ReadRequest()))
        guard case .opened(let opened) = outcome.product else { return }
        let text = opened.plaintext.withBytes { $0.copied() }
        guard text == Array(letter.text.utf8) else { throw Broken.openedAsAnother }
        guard opened.sender == author.id else { throw Broken.wrongSender }
        if letter.isOpened, !outcome.notices.contains(.mayHaveBeenReadBefore) { throw Broken.openedTwice }
        mail[index].isOpened = true
    }

    private func show(_ who: Bool, _ event: Event) throws {
        guard let code = try pair(who).me.performStrictly(event).code else { return }
        if !codes.contains(code) { codes.append(code) }
    }

    /// Takes a code, and at once the same again: the second time changes nothing.
    private func take(_ code: ExchangeCode, _ me: TestPeer) throws {
        let request = CodeOptions(reply: OfferRequest(lifeHours: 3, limit: 3))
        let outcome = try me.performStrictly(.take(code, request))
        if let shown = outcome.code, !codes.contains(shown) { codes.append(shown) }
        let once = me.stored.records
        do { try me.performStrictly(.take(code, request)) } catch is HSIPError {}
        guard me.stored.records.changes(from: once).subtracting([.clock]).isEmpty else {
            throw Broken.secondTimeChangedSomething
        }
    }

    /// What must hold after every step.
    private func look() throws {
        for me in [duo.alice, duo.bob] {
            guard me.book.contacts.values.allSatisfy({ $0.pairings.count <= 4 }) else {
                throw Broken.tooManyPairings
            }
            for pairing in me.book.pairings.values {
                if pairing.rotation == nil {
                    ended[me.id, default: []].insert(pairing.id)
                } else if ended[me.id]?.contains(pairing.id) == true {
                    throw Broken.endedRevived
                }
            }
        }
        for pairing in duo.alice.book.pairings.values {
            guard let mine = pairing.rotation, let theirs = duo.bob.book.pairings[pairing.id]?.rotation else {
                continue
            }
            for one in Self.epochs(mine) {
                for other in Self.epochs(theirs) where one.name == other.name {
                    guard Self.fit(one.keys.send, other.keys.receive),
                        Self.fit(one.keys.receive, other.keys.send),
                        Self.fit(one.keys.chain, other.keys.chain),
                        Self.fit(one.keys.rotate, other.keys.rotate), one.limit == other.limit,
                        one.end == other.end, one.number == other.number
                    else { throw Broken.keysDisagree }
                }
            }
        }
    }

    /// The same two as they are now, to whom something else happens.
    func fork(seed: String) -> World {
        let copy = Duo(alice: duo.alice.stored, bob: duo.bob.stored, seed: seed)
        copy.clock.now = duo.clock.now
        return World(copy)
    }

    /// Puts back what one of the two had before.
    func restore(_ who: Bool, _ backup: TestPeer.Stored) { pair(who).me.restore(backup) }

    /// From every state there is a way: who can write writes, who cannot shows what `pair` shows, and who is refused
    /// does what the refusal advises, until both can write.
    func agree() throws {
        duo.alice.skew = 0
        duo.bob.skew = 0
        duo.clock.now = max(duo.clock.now, duo.alice.book.clock.mark, duo.bob.book.clock.mark)
        for round in 0..<6 {
            let (aliceWrites, bobWrites) = talk()
            if aliceWrites, bobWrites { return }
            let (me, other) = pair(aliceWrites == bobWrites ? round.isMultiple(of: 2) : bobWrites)
            let bound = OfferRequest(contact: other.id, lifeHours: 3, limit: 3)
            do {
                try exchange(me, other, .nextCode(other.id, bound))
            } catch is HSIPError {
                // A code that the other cannot use: the advice is `pair C --offer`.
                try? exchange(me, other, .offer(bound))
            }
            duo.clock.advance(400)
        }
        throw Broken.neverAgree
    }

    private func exchange(_ me: TestPeer, _ other: TestPeer, _ event: Event) throws {
        var code = try me.performStrictly(event).code
        var (taker, shower) = (other, me)
        while let shown = code {
            code = try taker.performStrictly(.take(shown, CodeOptions())).code
            (taker, shower) = (shower, taker)
            if code == shown { return }
        }
    }

    /// Who gets a message through, twice; that one of them cannot write keeps the other from nothing.
    private func talk() -> (alice: Bool, bob: Bool) {
        var (alice, bob) = (true, true)
        for _ in 0..<2 {
            alice = says(duo.alice, to: duo.bob) && alice
            bob = says(duo.bob, to: duo.alice) && bob
        }
        return (alice, bob)
    }

    private func says(_ me: TestPeer, to other: TestPeer) -> Bool {
        do {
            try me.say("x", to: other)
            return true
        } catch { return false }
    }

    private static func epochs(_ rotation: Rotation<HSIPScheme>) -> [Epoch<HSIPScheme>] {
        [rotation.current] + (rotation.next.map { [$0.epoch] } ?? []) + rotation.past.map(\.epoch)
    }

    /// Equal, as far as both are still there.
    private static func fit(_ one: Secret?, _ other: Secret?) -> Bool {
        guard let one, let other else { return true }
        return ConstantTime.equal(one, other)
    }

    private static func name(of key: Secret) -> [UInt8] { Hash.sha256(key) }
}
