import Testing
import VaultCrypto

@testable import HSIP

/// What must not be read, and by which name it is refused.
struct NegativeCodeTests {
    /// The text of any bytes with a right checksum, under the word of a kind.
    private func text(_ bytes: [UInt8], _ kind: CodeKind) -> [UInt8] {
        Array("hsip:".utf8) + Bech32m.encode(bytes, hrp: kind.hrp)
    }

    private func refusal(_ bytes: [UInt8]) -> HSIPError? {
        do {
            _ = try ExchangeCode(bytes: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: SampleCode.all)
    func `no change of one byte goes unseen`(sample: SampleCode) throws {
        let original = try ExchangeCode(bytes: sample.bytes)
        for place in sample.bytes.indices {
            for change: UInt8 in [0x01, 0x02, 0x80, 0xFF] {
                var bytes = sample.bytes
                bytes[place] ^= change
                guard let other = try? ExchangeCode(bytes: bytes) else { continue }
                #expect(other != original)
                #expect(other.bytes == bytes)
                // The signature covers everything, itself and its key included.
                if case .offer(let offer) = other {
                    #expect(throws: HSIPError.badSignature) { try offer.verifySignature() }
                }
            }
        }
    }

    @Test(arguments: SampleCode.some)
    func `no change of one character goes unseen`(sample: SampleCode) throws {
        let characters = Array("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LB1".utf8)
        let original = Array(sample.text.utf8)
        for place in original.indices {
            var changed = original
            changed[place] = characters[(place * 7) % characters.count]
            guard changed != original else { continue }
            #expect(throws: HSIPError.self) { try CodeText.codes(in: changed) }
        }
    }

    @Test(arguments: SampleCode.all)
    func `every other length is refused`(sample: SampleCode) {
        for length in 0..<sample.bytes.count {
            #expect(refusal(Array(sample.bytes.prefix(length))) == .malformed)
        }
        for extra in 1...40 {
            #expect(refusal(sample.bytes + [UInt8](repeating: 0, count: extra)) == .malformed)
        }
    }

    @Test(arguments: SampleCode.some)
    func `the word must fit the kind`(sample: SampleCode) {
        for kind in CodeKind.allCases where kind != sample.kind {
            #expect(throws: HSIPError.self) { try CodeText.codes(in: text(sample.bytes, kind)) }
        }
        // The same length under another word, so that only the kind is wrong.
        var bytes = sample.bytes
        for kind: UInt8 in [0, 7, 8, 255] {
            bytes[1] = kind
            #expect(refusal(bytes) == .malformed)
            #expect(throws: HSIPError.malformed) { try CodeText.codes(in: text(bytes, sample.kind)) }
        }
        bytes[1] = sample.kind.rawValue % 6 + 1
        #expect(throws: HSIPError.malformed) { try CodeText.codes(in: text(bytes, sample.kind)) }
    }

    @Test(arguments: SampleCode.all)
    func `bits behind the last byte must be zero`(sample: SampleCode) {
        let fives = Bech32m.fives(of: sample.bytes)
        let spare = fives.count * 5 - sample.bytes.count * 8
        for bit in 0..<spare {
            var values = fives
            values[values.count - 1] ^= 1 << UInt8(bit)
            let text = checked(values, sample.kind)
            #expect(throws: HSIPError.malformed) { try CodeText.codes(in: text) }
        }
        #expect(throws: Never.self) { try CodeText.codes(in: checked(fives, sample.kind)) }
    }

    @Test(arguments: SampleCode.some)
    func `a checksum of plain bech32 is refused`(sample: SampleCode) {
        let text = checked(Bech32m.fives(of: sample.bytes), sample.kind, constant: 1)
        #expect(throws: HSIPError.malformed) { try CodeText.codes(in: text) }
    }

    /// A code from values of five bits, with a checksum computed here, apart from the code under test.
    private func checked(_ data: [UInt8], _ kind: CodeKind, constant: UInt32 = 0x2bc8_30a3) -> [UInt8] {
        let hrp = Array(kind.hrp.utf8)
        let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
        var sum: UInt32 = 1
        for value in hrp.map({ $0 >> 5 }) + [0] + hrp.map({ $0 & 31 }) + data + [0, 0, 0, 0, 0, 0] {
            let top = sum >> 25
            sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 { sum ^= term }
        }
        sum ^= constant
        let check = stride(from: UInt32(25), through: 0, by: -5).map { UInt8(sum >> $0 & 31) }
        let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
        return Array("HSIP:".utf8) + hrp + [0x31] + (data + check).map { alphabet[Int($0)] }
    }
}
