import HSIP
import Testing
import VaultCrypto

struct MachineCodeTests {
    private let vector: MachineVector
    private let join: JoinCode
    private let admit: AdmitCode
    private let head: HeadCode

    init() throws {
        vector = try MachineVector.known.get()
        join = try JoinCode(bytes: try hex(vector.join.bytes))
        admit = try AdmitCode(bytes: try hex(vector.admit.bytes))
        head = try HeadCode(bytes: try hex(vector.head.bytes))
    }

    /// Each code by its bytes.
    private var all: [MachineCode] { [.join(join), .admit(admit), .head(head)] }

    private func refusal(_ bytes: [UInt8]) -> HSIPError? {
        #expect(throws: HSIPError.self) { try MachineCode(bytes: bytes) }
    }

    private func taken(_ text: String) throws -> MachineCode {
        try CodeText.machineCode(in: Array(text.utf8))
    }

    @Test func `bytes and text say the same`() throws {
        let texts = [vector.join.code, vector.admit.code, vector.head.code]
        for (code, text) in zip(all, texts) {
            #expect(code.text == text)
            #expect(try MachineCode(bytes: code.bytes) == code)
            for written in [text, text.lowercased(), "see " + text + ".", "> " + text.lowercased() + "\n"] {
                #expect(try taken(written) == code)
            }
        }
        #expect(texts.map(\.count) == [vector.sizes.join, vector.sizes.admit, vector.sizes.head])
        #expect(admit.bytes.count == vector.sizes.admit_bytes)
    }

    @Test func `a JOIN holds its inputs, and is made from them`() throws {
        let machine = try vector.joiner
        #expect(join.signKey == (try hex(machine.sign_key)))
        #expect(join.boxKey == (try hex(machine.box_key)))
        #expect(join.machineID == (try hex(machine.id)))
        #expect(join.name == machine.name)
        #expect(join.reference == (try hex(vector.join.ref)))
        #expect(join.expiry == join.issued + 15 * 60)
        try join.verifySignature()
        let unsigned = try JoinCode.unsigned(
            issued: join.issued,
            signKey: join.signKey,
            boxKey: join.boxKey,
            name: join.name
        )
        #expect(try JoinCode(unsigned: unsigned, seed: try hex(machine.seed)) == join)
    }

    @Test func `an ADMIT is made from its inputs, and opens with the box secret`() throws {
        let (machine, keeper, values) = (try vector.joiner, try vector.keeper, vector.admit)
        #expect(admit.keeperKey == (try hex(keeper.sign_key)))
        #expect(admit.reference == join.reference)
        #expect(admit.logID == (try hex(vector.log)))
        let entry = try #require(vector.entries.first { $0.n == admit.place })
        #expect(admit.headHash == (try hex(entry.hash)))
        let content = try admit.open(as: join, boxSecret: try hex(machine.box_secret))
        #expect(content.epoch == values.epoch)
        #expect(content.role == values.role)
        #expect(content.carrier == values.carrier)
        #expect(content.address == values.address)
        #expect(ConstantTime.equal(content.key, try hex(values.key)))
        let made = try AdmitCode(
            for: join,
            content,
            head: AdmitCode.Head(logID: admit.logID, place: admit.place, hash: admit.headHash),
            issued: admit.issued,
            ephemeral: try hex(values.ephemeral),
            seed: try hex(keeper.seed)
        )
        #expect(made == admit)
    }

    @Test func `a HEAD holds a place of the log`() throws {
        #expect(head.logID == (try hex(vector.log)))
        #expect(head.place == vector.head.n)
        #expect(head.hash == (try hex(try #require(vector.entries.first { $0.n == head.place }).hash)))
        #expect(try HeadCode(logID: head.logID, place: head.place, hash: head.hash) == head)
    }

    @Test func `the numbers are the known ones, and only they match`() throws {
        let numbers = [try join.number(), try admit.number(for: join), try head.number()]
        #expect(numbers.map(\.text) == [vector.join.number, vector.admit.number, vector.head.number])
        let number = numbers[0]
        #expect(number.matches(vector.join.number))
        #expect(number.matches(number.digits + "\n"))
        #expect(number.matches(number.text.replacing(" ", with: "-")))
        for wrong in ["", "0", String(number.digits.dropLast()), number.digits + "0", numbers[1].text] {
            #expect(!number.matches(wrong))
        }
    }

    @Test func `an ADMIT opens for its own JOIN and box secret only`() throws {
        let machine = try vector.joiner
        let secret = try hex(machine.box_secret)
        let unsigned = try JoinCode.unsigned(
            issued: join.issued + 1,
            signKey: join.signKey,
            boxKey: join.boxKey,
            name: join.name
        )
        let other = try JoinCode(unsigned: unsigned, seed: try hex(machine.seed))
        #expect(throws: HSIPError.unknownOffer) { try admit.open(as: other, boxSecret: secret) }
        #expect(throws: HSIPError.cannotOpen) {
            try admit.open(as: join, boxSecret: try hex(vector.keeper.box_secret))
        }
    }

    @Test func `no byte of a JOIN or ADMIT can be changed`() throws {
        let secret = try hex(try vector.joiner.box_secret)
        for place in join.bytes.indices {
            var bytes = join.bytes
            bytes[place] ^= 1
            #expect(throws: HSIPError.self) { try JoinCode(bytes: bytes).verifySignature() }
        }
        for place in admit.bytes.indices {
            var bytes = admit.bytes
            bytes[place] ^= 1
            #expect(throws: HSIPError.self) {
                _ = try AdmitCode(bytes: bytes).open(as: join, boxSecret: secret)
            }
        }
    }

    @Test func `a code of another length, kind, suite or flag is refused`() throws {
        for code in all {
            #expect(refusal(Array(code.bytes.dropLast())) == .malformed)
            #expect(refusal(code.bytes + [0]) == .malformed)
            #expect(refusal([2] + code.bytes.dropFirst()) == .unsupportedVersion)
            #expect(refusal([1, 1] + code.bytes.dropFirst(2)) == .malformed)
            guard code.kind.hasHeader else { continue }
            for (place, byte, error) in [
                (2, 2, .unsupportedSuite), (3, 1, .unsupportedFlag), (3, 2, .unsupportedFlag),
                (8, 6, .malformed),
                (10, 1, .malformed), (13, 1, .malformed),
            ] as [(Int, UInt8, HSIPError)] {
                var bytes = code.bytes
                bytes[place] = byte
                #expect(refusal(bytes) == error, "\(place)")
            }
            var bytes = code.bytes
            (bytes[8], bytes[9]) = (0, 0)
            #expect(refusal(bytes) == .malformed)
        }
        #expect(refusal([]) == .malformed)
        for place in [0, UInt64(Int64.max), .max] {
            #expect(throws: HSIPError.malformed) {
                try HeadCode(logID: head.logID, place: place, hash: head.hash)
            }
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 41), "a\u{202E}b", "e\u{301}"])
    func `a machine has a name that can be shown`(name: String) throws {
        let machine = try vector.joiner
        #expect(throws: HSIPError.malformed) {
            let unsigned = try JoinCode.unsigned(
                issued: 1,
                signKey: join.signKey,
                boxKey: join.boxKey,
                name: name
            )
            _ = try JoinCode(unsigned: unsigned, seed: try hex(machine.seed))
        }
    }

    @Test func `a code of low order is refused`() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(refusal(Array(join.bytes[..<46]) + zero + join.bytes[78...]) == .badKey)
        #expect(refusal(Array(admit.bytes[..<78]) + zero + admit.bytes[110...]) == .badKey)
    }

    @Test func `time is judged as for codes between people`() throws {
        try join.checkTime(wallClock: join.issued, effectiveNow: join.issued)
        try join.checkTime(wallClock: join.issued - 600, effectiveNow: join.expiry + 600)
        #expect(throws: HSIPError.codeFromFuture(seconds: 601)) {
            try join.checkTime(wallClock: join.issued - 601, effectiveNow: join.issued)
        }
        #expect(throws: HSIPError.codeExpired) {
            try admit.checkTime(wallClock: admit.issued, effectiveNow: admit.expiry + 601)
        }
        for minutes: UInt16 in [0, 1_441] {
            #expect(throws: HSIPError.malformed) {
                try JoinCode.unsigned(
                    issued: 1,
                    ttlMinutes: minutes,
                    signKey: join.signKey,
                    boxKey: join.boxKey,
                    name: "a"
                )
            }
        }
    }

    @Test func `a text with codes between people has its machine codes passed over`() throws {
        let offer = try #require(SampleCode.all.first { $0.kind == .offer })
        let both = Array((join.text + "\n" + offer.text).utf8)
        #expect(try CodeText.codes(in: both).map(\.bytes) == [offer.bytes])
        #expect(try CodeText.machineCode(in: both) == .join(join))
        #expect(throws: HSIPError.noCode) { try taken(offer.text) }
    }

    @Test(arguments: MachineCode.Kind.allCases)
    func `taking codes between people names a code between machines`(kind: MachineCode.Kind) throws {
        let code = try #require(all.first { $0.kind == kind })
        #expect(throws: HSIPError.machineCode(kind)) { try CodeText.codes(in: Array(code.text.utf8)) }
    }

    @Test func `several, cut and damaged codes are told apart`() throws {
        #expect(throws: HSIPError.severalCodes) { try taken(join.text + " " + admit.text) }
        #expect(try taken(join.text + " " + join.text.lowercased()) == .join(join))
        #expect(throws: HSIPError.truncated) { try taken(String(admit.text.dropLast(3))) }
        #expect(throws: HSIPError.malformed) { try taken(join.text + "Q") }
        let wrong = head.text.replacing("HEAD1QY9", with: "HEAD1QY8")
        #expect(throws: HSIPError.malformed) { try taken(wrong) }
        #expect(throws: HSIPError.noCode) { try taken("no code") }
    }
}
