import Support
import Testing
import VaultCrypto

@testable import HSIP

/// Claims that hold for every code, tried with seeded random ones.
struct CodePropertyTests {
    /// A random code that keeps all rules of form; its signature is noise.
    private static func code(_ random: inout SeededGenerator) throws -> ExchangeCode {
        let kind = random.pick(CodeKind.allCases) ?? .offer
        func header(_ random: inout SeededGenerator) throws -> CodeHeader {
            try CodeHeader(
                kind: kind,
                isFresh: kind == .offer && random.oneIn(2),
                issued: random.next() >> 32,
                ttlMinutes: UInt16(random.number(in: 1...10_080)),
                lifeHours: UInt16(random.number(in: 1...720)),
                limit: UInt16(random.number(in: 1...1000))
            )
        }
        func name(_ random: inout SeededGenerator) -> String {
            let parts = ["", "a", "Zoë", "🦊", "مرحبا", " ", "-", "\u{200D}", "Q"]
            let words = (0..<random.number(in: 0...6)).map { _ in random.pick(parts) ?? "" }
            let name = words.joined()
            return PeerName.isValid(name) ? name : "n"
        }
        let signature = random.bytes(64)
        let sixteen = random.bytes(16)
        let epoch = UInt32(truncatingIfNeeded: random.next() | 1)
        switch kind {
        case .offer:
            return .offer(
                try OfferCode(
                    unsigned: try OfferCode.unsigned(
                        header: try header(&random),
                        identityKey: random.bytes(32),
                        ephemeralKey: random.bytes(32),
                        name: name(&random)
                    ),
                    signature: signature
                )
            )
        case .answer:
            return .answer(
                try AnswerCode(
                    unsigned: try AnswerCode.unsigned(
                        header: try header(&random),
                        offerRef: random.bytes(16),
                        identityKey: random.bytes(32),
                        ephemeralKey: random.bytes(32),
                        name: name(&random)
                    ),
                    confirm: sixteen,
                    signature: signature
                )
            )
        case .rotate:
            return .rotate(
                try RotateCode(
                    unsigned: try RotateCode.unsigned(
                        header: try header(&random),
                        ref: random.bytes(8),
                        epoch: epoch,
                        attempt: UInt16(random.number(in: 1...65_535)),
                        ephemeralKey: random.bytes(32)
                    ),
                    mac: sixteen,
                    signature: signature
                )
            )
        case .accept:
            return .accept(
                try AcceptCode(
                    unsigned: try AcceptCode.unsigned(
                        header: try header(&random),
                        ref: random.bytes(8),
                        epoch: epoch,
                        rotateRef: random.bytes(16),
                        ephemeralKey: random.bytes(32)
                    ),
                    confirm: sixteen,
                    signature: signature
                )
            )
        case .revoke:
            let header = try CodeHeader.revocation(issued: random.next() >> 32)
            let reason = random.pick(RevokeReason.allCases) ?? .none
            guard random.oneIn(2) else {
                let unsigned = try RevokeCode.unsigned(
                    header: header,
                    reason: reason,
                    identityKey: random.bytes(32)
                )
                return .revoke(try RevokeCode(unsigned: unsigned, signature: signature))
            }
            let unsigned = try RevokeCode.unsigned(
                header: header,
                reason: reason,
                ref: random.bytes(8),
                epoch: epoch
            )
            return .revoke(try RevokeCode(unsigned: unsigned, mac: sixteen, signature: signature))
        case .verify:
            return .verify(
                try VerifyCode(senderFingerprint: random.bytes(32), receiverFingerprint: random.bytes(32))
            )
        }
    }

    @Test func `reading what was written gives the same code, and one text`() throws {
        try forAll("P1", runs: 300, generate: Self.code) { code in
            let again = try ExchangeCode(bytes: code.bytes)
            let read = try CodeText.codes(in: Array(code.text.utf8))
            let lower = try CodeText.codes(in: Array(code.text.lowercased().utf8))
            return again == code && read == [code] && lower == [code] && read[0].text == code.text
                && code.text.utf8.allSatisfy {
                    $0 == 0x3A || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                }
        }
    }

    /// A code and what was done to its text: at a place, these characters before it or the other case.
    private struct Mangled: CustomStringConvertible {
        let code: ExchangeCode
        var insertions: [(place: Int, text: String)]
        var flips: Set<Int>
        var before: String
        var behind: String

        var text: String {
            var out = before
            for (place, character) in code.text.enumerated() {
                for insertion in insertions where insertion.place == place && place > 0 {
                    out += insertion.text
                }
                out += flips.contains(place) ? character.lowercased() : String(character)
            }
            return out + behind
        }

        var description: String { "\(code.kind): \(text.debugDescription)" }

        /// The same with less done to it.
        var smaller: [Mangled] {
            var out: [Mangled] = []
            if !before.isEmpty { out.append(with { $0.before = "" }) }
            if !behind.isEmpty { out.append(with { $0.behind = "" }) }
            if !flips.isEmpty { out.append(with { $0.flips = [] }) }
            for place in insertions.indices { out.append(with { $0.insertions.remove(at: place) }) }
            return out
        }

        private func with(_ change: (inout Mangled) -> Void) -> Mangled {
            var copy = self
            change(&copy)
            return copy
        }
    }

    /// SKIP of section 2, every member.
    private static let skipped: [String] = {
        var values: [UInt32] = [0x20, 0x3E, 0x85, 0xA0, 0xAD, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x2060]
        values += Array(0x09...0x0D) + Array(0x2000...0x200D) + [0x3000, 0xFEFF]
        return values.compactMap { Unicode.Scalar($0) }.map { String($0) }
    }()

    @Test func `all white space of the basic plane is skipped`() {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isWhitespace else { continue }
            #expect(Self.skipped.contains(String(scalar)), "\(value)")
        }
    }

    @Test func `whatever is put between the characters, the code is found`() throws {
        let edges = ["", " ", "words ", "\n", "«", "🔒", ">", "\u{FEFF}", "...", "hsip:", "hsip://m/1 ", "h"]
        try forAll(
            "P2",
            seed: 7,
            runs: 300,
            generate: { random in
                let code = try Self.code(&random)
                let length = code.text.count
                return Mangled(
                    code: code,
                    insertions: (0..<random.number(in: 0...60)).map { _ in
                        (random.number(in: 0...length - 1), random.pick(Self.skipped) ?? "")
                    },
                    flips: Set(
                        (0..<random.number(in: 0...length)).map { _ in random.number(in: 0...length - 1) }
                    ),
                    before: (random.pick(edges) ?? "") + (random.pick([" ", "\n", "(", "\u{200B}"]) ?? ""),
                    behind: (random.pick([" ", "\n", ")", ".", "\u{200B}"]) ?? "")
                        + (random.pick(edges) ?? "")
                )
            },
            shrink: \.smaller
        ) { try CodeText.codes(in: Array($0.text.utf8)) == [$0.code] }
    }

    @Test func `a failing property names its smallest input`() {
        let failure = #expect(throws: PropertyFailure.self) {
            try forAll(
                "small",
                runs: 50,
                generate: { $0.number(in: 0...1000) },
                shrink: { $0 > 0 ? [$0 / 2, $0 - 1] : [] }
            ) { $0 < 17 }
        }
        #expect(failure?.description.hasSuffix("smallest input 17") == true)
    }
}
