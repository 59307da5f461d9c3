import CBLAKE3
import Testing
import VaultCrypto

struct BLAKE3Tests {
    // The official test vectors: input byte i is i modulo 251.
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
            (1_023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"),
            (1_024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
            (1_025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
            (2_048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"),
            (2_049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"),
            (3_072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"),
            (8_192, "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63"),
            (8_193, "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b"),
            (31_744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"),
            (102_400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"),
        ])
    func `a hash is as the official vectors print it`(count: Int, hash: String) throws {
        let input = (0..<count).map { UInt8($0 % 251) }
        #expect(Hex.encode(BLAKE3.hash(input)) == hash)
        var plain = [UInt8](repeating: 0, count: BLAKE3.size)
        unsafe hsip_blake3_plain(input, count, &plain)
        #expect(Hex.encode(plain) == hash)
    }

    @Test func `the processor's own instructions change no hash, whatever the length`() {
        for count in stride(from: 0, to: 40_000, by: 511) {
            let input = [UInt8].counting(count)
            var plain = [UInt8](repeating: 0, count: BLAKE3.size)
            unsafe hsip_blake3_plain(input, count, &plain)
            #expect(BLAKE3.hash(input) == plain)
        }
    }
}
