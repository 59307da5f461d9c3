import Foundation
import Secrets
import Testing
import VaultCrypto

/// The vectors of RFC 4226 and RFC 6238 (Schemas/vectors/totp.json).
struct OneTimeVectors: Decodable {
    struct Counted: Decodable, CustomTestStringConvertible, Sendable {
        let counter: UInt64
        let password: String
        var testDescription: String { "counter \(counter)" }
    }
    struct Timed: Decodable, CustomTestStringConvertible, Sendable {
        let time: Int64
        let address: String
        let password: String
        let secondsLeft: Int
        var testDescription: String { "\(time) \(address.suffix(30))" }
    }
    struct Read: Decodable, CustomTestStringConvertible, Sendable {
        let text: String
        let issuer: String?
        let account: String?
        let algorithm: String?
        let digits: Int?
        let period: Int?
        let counter: UInt64?
        let keyHex: String?
        let error: String?
        var testDescription: String { text }
    }
    let hotpKeyHex: String
    let hotp: [Counted]
    let totp: [Timed]
    let addresses: [Read]

    static let all: OneTimeVectors = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Schemas/vectors/totp.json")
        guard let data = try? Data(contentsOf: file),
            let all = try? JSONDecoder().decode(Self.self, from: data)
        else { preconditionFailure("Schemas/vectors/totp.json cannot be read") }
        return all
    }()
}

private func text(_ bytes: borrowing some ByteSource & ~Copyable) -> String {
    bytes.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
}

struct OneTimeKeyTests {
    @Test(arguments: OneTimeVectors.all.hotp) func `passwords by counter are those of RFC 4226`(
        _ vector: OneTimeVectors.Counted
    ) throws {
        let secret = try Secret(copying: Array("12345678901234567890".utf8))
        let key = try #require(OneTimeKey(key: secret, moving: .counter(0)))
        #expect(text(try key.password(counter: vector.counter)) == vector.password)
    }

    @Test(arguments: OneTimeVectors.all.totp) func `passwords by time are those of RFC 6238`(
        _ vector: OneTimeVectors.Timed
    ) throws {
        let key = try OneTimeKey(reading: Array(vector.address.utf8))
        let password = try key.password(at: vector.time)
        #expect(text(password.digits) == vector.password)
        #expect(password.secondsLeft == vector.secondsLeft)
    }

    @Test(arguments: OneTimeVectors.all.addresses) func `an address is read or refused as written down`(
        _ vector: OneTimeVectors.Read
    ) throws {
        if let name = vector.error {
            let error = #expect(throws: OneTimeError.self) {
                try OneTimeKey(reading: Array(vector.text.utf8))
            }
            #expect(error.map { "\($0)" } == name)
            return
        }
        let key = try OneTimeKey(reading: Array(vector.text.utf8))
        #expect(key.issuer == vector.issuer ?? "")
        #expect(key.account == vector.account ?? "")
        #expect(key.hash.rawValue == vector.algorithm ?? "SHA1")
        #expect(key.digits == vector.digits ?? 6)
        switch key.moving {
        case .time(let period): #expect(period == vector.period ?? 30 && vector.counter == nil)
        case .counter(let counter): #expect(counter == vector.counter)
        }
        #expect(key.key.withBytes { Hex.encode($0.copied()) } == vector.keyHex)
    }

    @Test func `a moment before 1970 counts as 1970, and the last one does not overflow`() throws {
        let key = try OneTimeKey(reading: Array("MZXW6YTBOI======".utf8))
        #expect(text(try key.password(at: -5).digits) == text(try key.password(at: 0).digits))
        #expect(try key.password(at: .max).secondsLeft > 0)
    }

    @Test func `a key that goes by a counter gives none by time`() throws {
        let key = try OneTimeKey(reading: Array("otpauth://hotp/a?secret=MZXW6YTBOI&counter=7".utf8))
        #expect(throws: OneTimeError.counted) { try key.password(at: 0) }
    }

    @Test(arguments: [
        ("otpauth://hotp/a?secret=MZXW6YTBOI&counter=7", "otpauth://hotp/a?secret=MZXW6YTBOI&counter=8"),
        (
            " OTPAUTH://HOTP/a?COUNTER=9&x=counter=1&secret=MZXW6YTBOI\n",
            " OTPAUTH://HOTP/a?COUNTER=10&x=counter=1&secret=MZXW6YTBOI\n"
        ),
        (
            "otpauth://hotp/a?secret=MZXW6YTBOI&counter=%31%39&digits=8",
            "otpauth://hotp/a?secret=MZXW6YTBOI&counter=20&digits=8"
        ),
        (
            "otpauth://hotp/counter=1?counter=099&secret=MZXW6YTBOI",
            "otpauth://hotp/counter=1?counter=100&secret=MZXW6YTBOI"
        ),
    ])
    func `only the counter of an address is raised`(before: String, after: String) throws {
        let raised = try OneTimeKey.raised(try Secret(copying: Array(before.utf8)))
        #expect(text(raised) == after)
        _ = try OneTimeKey(reading: raised)
    }

    @Test(arguments: [
        ("otpauth://totp/a?secret=MZXW6YTBOI&counter=7", OneTimeError.unsupported),
        ("MZXW6YTBOI", .unsupported),
        ("otpauth://hotp/a?secret=MZXW6YTBOI&counter=18446744073709551615", .spent),
        ("otpauth://hotp/a?secret=MZXW6YTBOI&counter=1&counter=2", .malformed),
    ])
    func `what has no counter to raise is refused`(address: String, error: OneTimeError) throws {
        #expect(throws: error) { try OneTimeKey.raised(try Secret(copying: Array(address.utf8))) }
    }

    @Test func `any bytes are read or refused`() throws {
        let entropy = Entropy.seeded([9])
        let start = Array("otpauth://totp/x?secret=".utf8)
        for count in 0..<400 {
            let noise = entropy.bytes(count)
            _ = try? OneTimeKey(reading: noise)
            _ = try? OneTimeKey(reading: start + noise)
            _ = try? OneTimeKey.raised(
                try Secret(copying: Array("otpauth://hotp/x?secret=AA&counter=1&".utf8) + noise)
            )
        }
        #expect(throws: OneTimeError.malformed) {
            try OneTimeKey(reading: [UInt8](repeating: 0x41, count: 4_097))
        }
        #expect(throws: OneTimeError.badKey) {
            try OneTimeKey(reading: [UInt8](repeating: 0x41, count: 4_096))
        }
    }
}
