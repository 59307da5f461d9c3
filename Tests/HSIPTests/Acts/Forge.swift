import HSIP
import Support
import VaultCrypto

/// Codes that an honest program would not make: signed as they should be, wrong in what they say.
enum Forge {
    /// What an offer or answer says.
    struct Claim {
        var issued: UInt64
        var ttlMinutes: UInt16 = 1_440
        var lifeHours: UInt16 = 168
        var limit: UInt16 = 1_000
        var isFresh = false
        var name = "Mallory"

        func header(_ kind: CodeKind, _ suite: Suite = .one) throws -> CodeHeader {
            try CodeHeader(
                kind: kind,
                suite: suite,
                isFresh: isFresh,
                issued: issued,
                ttlMinutes: ttlMinutes,
                lifeHours: lifeHours,
                limit: limit
            )
        }
    }

    /// A point of order one.
    static let lowOrder = [1] + [UInt8](repeating: 0, count: 31)

    /// An offer with any one-time public key.
    static func offer(
        by author: TestPeer,
        _ claim: Claim,
        ephemeral: [UInt8] = lowOrder,
        isSigned: Bool = true
    ) throws -> OfferCode {
        let unsigned = try OfferCode.unsigned(
            header: try claim.header(.offer),
            identityKey: author.book.identity.publicKey,
            ephemeralKey: ephemeral,
            name: claim.name
        )
        let signature = try KeySchedule.signOffer(unsigned, seed: author.book.identity.seed)
        return try OfferCode(
            unsigned: unsigned,
            signature: isSigned ? signature : signature.map { $0 ^ 1 }
        )
    }

    /// An answer; `ephemeral` is the public key it shows, nil for a good one.
    static func answer(
        to offer: OfferCode,
        by author: TestPeer,
        _ claim: Claim,
        ephemeral shown: [UInt8]? = nil,
        isConfirmed: Bool = true,
        isSigned: Bool = true
    ) throws -> AnswerCode {
        let secret = try author.entropy.secret(32)
        let ephemeral = try shown ?? KeyAgreement.publicKey(of: secret)
        let kem =
            try offer.kemKey.isEmpty
            ? nil : MLKEM768.encapsulate(to: offer.kemKey, random: author.entropy.secret(32))
        let unsigned = try AnswerCode.unsigned(
            header: try claim.header(.answer, offer.header.suite),
            offerRef: offer.ref,
            identityKey: author.book.identity.publicKey,
            ephemeralKey: ephemeral,
            name: claim.name,
            kemCiphertext: kem?.ciphertext ?? []
        )
        let transcript = KeySchedule.pairingTranscript(
            offerHash: offer.transcriptHash,
            answerUnsigned: unsigned
        )
        let shared = try KeySchedule.sharedSecret(secret, with: offer.ephemeralKey)
        let keys = try EpochSecrets.derive(
            prk: try KeySchedule.pairingSecret(th: transcript, sharedSecret: shared, kemSecret: kem?.secret)
        )
        var confirm = KeySchedule.confirmTag(confirmKey: keys.confirm, transcript: transcript)
        if !isConfirmed { confirm[0] ^= 1 }
        let signature = try KeySchedule.signAnswer(
            transcript: transcript,
            confirm: confirm,
            seed: author.book.identity.seed
        )
        return try AnswerCode(
            unsigned: unsigned,
            confirm: confirm,
            signature: isSigned ? signature : signature.map { $0 ^ 1 }
        )
    }

    /// The two ends of a pairing as its owner sees them.
    static func party(_ owner: TestPeer, _ other: TestPeer) throws -> HSIPScheme.Party {
        HSIPScheme.Party(
            identity: owner.book.identity,
            peerID: other.id,
            peerKey: other.book.identity.publicKey,
            role: owner.pairing(other)?.role ?? .offerer,
            entropy: owner.entropy
        )
    }

    /// A ROTATE of any attempt and terms under the current epoch.
    static func rotate(
        by author: TestPeer,
        to other: TestPeer,
        attempt: UInt16,
        suite: Suite = .two,
        terms: Terms,
        parent: Epoch<HSIPScheme>
    ) throws -> RotateCode {
        try HSIPScheme.rotate(
            under: parent.keys,
            name: parent.name,
            epoch: parent.number + 1,
            attempt: attempt,
            suite: suite,
            terms: terms,
            party: try party(author, other)
        ).0
    }
}

extension Terms {
    /// The terms of a rotation that an honest program would make at `now`.
    static func rotation(at now: UInt64, lifeHours: UInt16 = 168, limit: UInt16 = 1_000) -> Terms {
        Terms(issued: now, ttlMinutes: 10_080, lifeHours: lifeHours, limit: limit)
    }
}

extension TestPeer {
    /// An act that writes something small, as a program in daily use does: the clock mark goes along.
    func tick() throws { try perform(.setName(book.identity.name)) }

    /// Goes on to `seconds` later in steps that no clock would take for a jump.
    func live(_ seconds: Int64) throws {
        var left = seconds
        while left > 0 {
            let step = min(left, 23 * .hour)
            clock.advance(step)
            left -= step
            try tick()
        }
    }

    /// Changes the rotation of the sending pairing by hand.
    func plant(for other: TestPeer, _ change: (inout Rotation<HSIPScheme>) -> Void) throws {
        guard var pairing = pairing(other), var rotation = pairing.rotation else { return }
        change(&rotation)
        pairing.state = .live(rotation)
        try plant(pairing)
    }

    /// How trust in `other` stands.
    func trust(_ other: TestPeer) -> Contact.Trust? { contact(other)?.trust }
}

/// Whether two optional secrets are there and equal.
func areEqual(_ one: Secret?, _ other: Secret?) -> Bool {
    guard let one, let other else { return false }
    return ConstantTime.equal(one, other)
}
