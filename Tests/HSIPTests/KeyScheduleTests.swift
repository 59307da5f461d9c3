import HSIP
import Support
import Testing
import VaultCrypto

/// What the formulas promise beyond their known answers.
struct KeyScheduleTests {
    /// What a pairing hashes: the whole offer, the answer without its last 80 bytes, and the shared secret.
    struct Inputs: CustomStringConvertible {
        var offer: [UInt8]
        var answer: [UInt8]
        var shared: [UInt8]
        var description: String { "\(offer) \(answer) \(shared)" }

        init(_ generator: inout SeededGenerator) {
            offer = generator.bytes(generator.number(in: 143...183))
            answer = generator.bytes(generator.number(in: 95...135))
            shared = generator.bytes(32)
        }

        /// The same with one bit changed at `place`, counted through all three.
        func changed(at place: Int) -> Inputs {
            var copy = self
            if place < offer.count {
                copy.offer[place] ^= 1
            } else if place < offer.count + answer.count {
                copy.answer[place - offer.count] ^= 1
            } else {
                copy.shared[place - offer.count - answer.count] ^= 1
            }
            return copy
        }

        var count: Int { offer.count + answer.count + shared.count }

        func keys() throws -> [[UInt8]] {
            let th = KeySchedule.pairingTranscript(
                offerHash: KeySchedule.offerHash(offer),
                answerUnsigned: answer
            )
            return try allKeys(
                EpochSecrets.derive(prk: KeySchedule.pairingSecret(th: th, sharedSecret: shared))
            )
        }
    }

    @Test func `all keys of an epoch differ from each other`() throws {
        try forAll("distinct", generate: { Inputs(&$0) }) { inputs in
            let keys = try inputs.keys()
            return keys.count == 9 && Set(keys).count == 9
        }
    }

    @Test func `one changed bit of any input changes every key`() throws {
        try forAll(
            "avalanche",
            generate: { generator in
                let inputs = Inputs(&generator)
                return (inputs, generator.number(in: 0...(inputs.count - 1)))
            }
        ) { inputs, place in
            Set(try inputs.keys()).isDisjoint(with: try inputs.changed(at: place).keys())
        }
    }

    @Test func `both sides of honest pairings derive the same keys`() throws {
        try forAll("mirror", runs: 50, generate: { ($0.bytes(32), $0.bytes(32)) }) { one, other in
            let here = try KeySchedule.sharedSecret(one, with: KeyAgreement.publicKey(of: other))
            let there = try KeySchedule.sharedSecret(other, with: KeyAgreement.publicKey(of: one))
            return ConstantTime.equal(here, there)
        }
    }

    @Test func `the next epoch depends on both codes, the chain and the fresh secret`() throws {
        let parts = (0..<4).map { [UInt8](repeating: UInt8($0), count: 32) }
        let reference = try next(parts)
        #expect(try next(parts) == reference)
        for changed in 0..<4 {
            var other = parts
            other[changed][31] ^= 0x80
            #expect(Set(try next(other)).isDisjoint(with: reference), "part \(changed)")
        }
        #expect(try next([parts[0], parts[1], parts[3], parts[2]]) != reference)
    }

    @Test(arguments: LowOrderPoint.all)
    func `a low-order point is refused`(point: [UInt8]) {
        let secret = [UInt8](repeating: 7, count: 32)
        #expect(
            refusal { () throws(HSIPError) in _ = try KeySchedule.sharedSecret(secret, with: point) }
                == .badKey
        )
    }

    @Test(arguments: 0..<16)
    func `a changed confirmation tag is refused`(place: Int) throws {
        let (key, th) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        var tag = KeySchedule.confirmTag(confirmKey: key, transcript: th)
        #expect(tag.count == 16)
        tag[place] ^= 0x10
        let changed = tag
        let found = refusal { () throws(HSIPError) in
            try KeySchedule.checkConfirm(changed, confirmKey: key, transcript: th)
        }
        #expect(found == .confirmFailed)
    }

    @Test func `a shortened confirmation tag is refused`() {
        let (key, th) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let tag = Array(KeySchedule.confirmTag(confirmKey: key, transcript: th).prefix(15))
        let found = refusal { () throws(HSIPError) in
            try KeySchedule.checkConfirm(tag, confirmKey: key, transcript: th)
        }
        #expect(found == .confirmFailed)
    }

    @Test func `a MAC does not serve the other role, nor the other kind of code`() throws {
        let (key, body) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 60))
        let macs = Role.allCases.flatMap { role in
            [
                KeySchedule.rotateMAC(rotateKey: key, role: role, unsigned: body),
                KeySchedule.revokeMAC(rotateKey: key, role: role, unsigned: body),
            ]
        }
        #expect(Set(macs).count == 4)
        for mac in macs.dropFirst() {
            let found = refusal { () throws(HSIPError) in
                try KeySchedule.checkRotateMAC(mac, rotateKey: key, role: .offerer, unsigned: body)
            }
            #expect(found == .badSignature)
        }
        for mac in [macs[0], macs[2], macs[3]] {
            let found = refusal { () throws(HSIPError) in
                try KeySchedule.checkRevokeMAC(mac, rotateKey: key, role: .offerer, unsigned: body)
            }
            #expect(found == .badSignature)
        }
    }

    private func next(_ parts: [[UInt8]]) throws -> [[UInt8]] {
        let transcript = KeySchedule.rotationTranscript(rotate: parts[0], acceptUnsigned: parts[1])
        let prk = try KeySchedule.rotationSecret(
            transcript: transcript,
            chain: parts[2],
            sharedSecret: parts[3]
        )
        return try allKeys(EpochSecrets.derive(prk: prk))
    }
}

/// All that an epoch has, the ref too.
private func allKeys(_ keys: EpochSecrets) -> [[UInt8]] {
    let secrets = [
        keys.i2r, keys.r2i, keys.confirm, keys.rotate, keys.chain, keys.nonceI2R, keys.nonceR2I, keys.emoji,
    ]
    return secrets.map { $0.withBytes { $0.copied() } } + [keys.ref]
}
