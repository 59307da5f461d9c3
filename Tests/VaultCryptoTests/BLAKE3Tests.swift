import Testing
import VaultCrypto

struct BLAKE3Tests {
    // The official test vectors (input byte i is i modulo 251) of at most one block; those of 9 to 62 bytes
    // do not exist.
    @Test(
        arguments: [
            (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
            (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
            (2, "7b7015bb92cf0b318037702a6cdd81dee41224f734684c2c122cd6359cb1ee63"),
            (3, "e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f"),
            (4, "f30f5ab28fe047904037f77b6da4fea1e27241c5d132638d8bedce9d40494f32"),
            (5, "b40b44dfd97e7a84a996a91af8b85188c66c126940ba7aad2e7ae6b385402aa2"),
            (6, "06c4e8ffb6872fad96f9aaca5eee1553eb62aed0ad7198cef42e87f6a616c844"),
            (7, "3f8770f387faad08faa9d8414e9f449ac68e6ff0417f673f602a646a891419fe"),
            (8, "2351207d04fc16ade43ccab08600939c7c1fa70a5c0aaca76063d04c3228eaeb"),
            (63, "e9bc37a594daad83be9470df7f7b3798297c3d834ce80ba85d6e207627b7db7b"),
            (64, "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"),
        ])
    func `a hash is as the official vectors print it`(count: Int, hash: String) throws {
        #expect(Hex.encode(try BLAKE3.hash(.counting(count))) == hash)
    }

    @Test(arguments: [65, 128, 1024])
    func `more than one block is refused`(count: Int) {
        #expect(throws: CryptoError.wrongSize(expected: 64, found: count)) {
            _ = try BLAKE3.hash(.counting(count))
        }
    }
}
