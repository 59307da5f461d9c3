import Testing
import VaultCrypto

/// Base64 between pieces of locked memory: the same form as `StrictBase64`.
@Suite struct SecretBase64Tests {
    private func text(_ bytes: borrowing SecretBytes) -> String {
        bytes.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 63, 64, 65, 1_000, 1 << 20])
    func `both agree, there and back`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 7) }
        let encoded = try SecretBase64.encode(bytes)
        let (found, size) = (text(encoded), encoded.count)
        #expect(found == StrictBase64.encode(bytes))
        #expect(size == SecretBase64.encodedCount(count))
        let decoded = try encoded.withBytes { text throws(CryptoError) -> [UInt8]? in
            guard let bytes = try SecretBase64.decode(text) else { return nil }
            return bytes.withBytes { $0.copied() }
        }
        #expect(decoded == bytes)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA==AA==", "AA= =", "AAAA\n", " AAA", "AA-_",
        "AAA\0",
        "QQ==\0\0\0\0", "éAA",
    ])
    func `every other text is refused`(text: String) throws {
        let isRead = try Array(text.utf8).withBytes { text throws(CryptoError) -> Bool in
            guard let bytes = try SecretBase64.decode(text) else { return false }
            return bytes.count >= 0
        }
        #expect(!isRead)
        #expect(StrictBase64.decode(Array(text.utf8)) == nil)
    }

    @Test func `every byte at every place is read as the strict reader reads it`() throws {
        for place in 0..<8 {
            for byte in UInt8.min...(.max) {
                var text = Array("QUJDRA==".utf8)
                text[place] = byte
                let decoded = try text.withBytes { text throws(CryptoError) -> [UInt8]? in
                    guard let bytes = try SecretBase64.decode(text) else { return nil }
                    return bytes.withBytes { $0.copied() }
                }
                #expect(decoded == StrictBase64.decode(text))
            }
        }
    }

    @Test func `pieces are joined in order, lent bytes are copied and compared`() throws {
        let secret = try Secret(copying: [3, 4])
        let joined = try SecretBytes.joined([[1, 2], [] as [UInt8], secret, [5]])
        let (whole, none) = (joined.withBytes { $0.copied() }, try SecretBytes.joined([]).count)
        #expect(whole == [1, 2, 3, 4, 5] && none == 0)
        let copy = try joined.withBytes { span throws(CryptoError) in
            try Secret(SecretBytes(copying: span))
        }
        let isSame = ConstantTime.equal(copy, joined)
        #expect(isSame)
        for (other, isEqual) in [([3, 4], true), ([3, 5], false), ([3], false), ([], false)]
            as [([UInt8], Bool)]
        {
            #expect(secret.withBytes { ConstantTime.equal($0, other) } == isEqual)
        }
        #expect([UInt8]().withBytes { ConstantTime.equal($0, [UInt8]()) })
    }
}
