import CMemorySearch
import SSHFormats
import Secrets
import Testing
import VaultCrypto

/// Keys and texts are in locked memory and are wiped: the memory of this very process is searched for them.
@Suite(.serialized)
struct KeyMemoryTests {
    private static let ciphers: [KeyFileCipher] = [.aes128CBC, .aes256CTR, .aes256GCM, .chacha20Poly1305]

    @Test(arguments: [KeyKind.ed25519, .ecdsa256, .ecdsa384, .rsa2048])
    func `a key that was read, used, written under any cipher and let go is nowhere`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments, passphrase: "geheim")
        let text = try ssh.read("id")
        let number = try remembered(text, isEd25519: kind == .ed25519)
        for cipher in Self.ciphers {
            try use(text, cipher)
            #expect(hsip_search_count(number) == 0, "\(cipher)")
        }
    }

    @Test(arguments: TextAlgorithm.allCases)
    func `a text that was encrypted under a typed key and decrypted is nowhere`(algorithm: TextAlgorithm)
        throws
    {
        let number = try sealedAndOpened(algorithm)
        #expect(hsip_search_count(number) == 0)
    }

    private func remembered(_ text: [UInt8], isEd25519: Bool) throws -> Int32 {
        let key = try OpenSSHKeyFile(text: text).open(passphrase: try passphrase("geheim"))
        let wire = try key.wire()
        // Ed25519 has its public half behind the seed; the others end with a secret number.
        let end = wire.count - (isEd25519 ? 32 : 0)
        let number = try wire.slice(end - 32..<end).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe hsip_search_remember($0.baseAddress) }
        }
        // The control: while the key lives, the search does find it.
        #expect(hsip_search_count(number) > 0)
        return number
    }

    private func use(_ text: [UInt8], _ cipher: KeyFileCipher) throws {
        let key = try OpenSSHKeyFile(text: text).open(passphrase: try passphrase("geheim"))
        _ = try key.sign([1, 2, 3])
        _ = try PrivateKey.pem(pkcs8: try key.pkcs8())
        let file = try OpenSSHKeyFile(
            key,
            passphrase: try passphrase("geheim"),
            cipher: cipher,
            rounds: 1,
            entropy: .system
        )
        _ = try OpenSSHKeyFile(text: exposed(try file.text())).open(passphrase: try passphrase("geheim"))
    }

    private func sealedAndOpened(_ algorithm: TextAlgorithm) throws -> Int32 {
        var letters = Entropy.system.bytes(600).map { 0x61 + $0 % 26 }
        let text = try SecretBytes(copying: letters)
        letters.wipe()
        let number = try text.slice(300..<332).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe hsip_search_remember($0.baseAddress) }
        }
        #expect(hsip_search_count(number) > 0)
        let key = Array("a typed key".utf8)
        let opened = try CipherText.seal(text, as: algorithm, key: key).open(key: key)
        #expect(opened.count == text.count)
        return number
    }
}
