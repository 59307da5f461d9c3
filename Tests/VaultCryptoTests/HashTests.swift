import Testing
import VaultCrypto

struct HashTests {
    // FIPS 180-4 examples: the empty message, "abc", and one that fills two blocks.
    static let messages = ["", "abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"]

    @Test(
        arguments: zip(
            messages,
            [
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ]
        )
    )
    func `SHA-256 gives the published digest`(message: String, digest: String) {
        #expect(Hex.encode(Hash.sha256(Array(message.utf8))) == digest)
    }

    @Test(
        arguments: zip(
            messages,
            [
                """
                cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce
                47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
                """,
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """,
                """
                204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335
                96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445
                """,
            ]
        )
    )
    func `SHA-512 gives the published digest`(message: String, digest: String) {
        #expect(Hash.sha512(Array(message.utf8)) == [UInt8](hex: digest))
    }

    @Test func `secret memory hashes like an array`() throws {
        let bytes = [UInt8].counting(100)
        #expect(Hash.sha256(try SecretBytes(copying: bytes)) == Hash.sha256(bytes))
        #expect(Hash.sha512(bytes[10..<20]) == Hash.sha512(Array(bytes[10..<20])))
    }
}
