import CMemorySearch
import SSHFormats
import Testing
import VaultCrypto

/// What is secret lies in locked memory and is wiped: the memory of this very process is searched for it.
@Suite(.serialized)
struct SecretMemoryTests {
    @Test(arguments: zip([KeyKind.ed25519, .ecdsa256, .ecdsa384, .rsa2048], Int32(4)...7))
    func `a key that was read, used, written and let go is nowhere`(kind: KeyKind, slot: Int32) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments, passphrase: "geheim")
        try use(try ssh.read("id")) { key in
            let wire = try key.wire()
            // Ed25519 has its public half behind the seed; the others end with a secret number.
            let end = wire.count - (kind == .ed25519 ? 32 : 0)
            try wire.slice(end - 32..<end).withBytes { bytes in
                unsafe bytes.withUnsafeBytes { unsafe hsip_search_remember(slot, $0.baseAddress) }
            }
            // The control: while the key lives, the search does find it.
            #expect(hsip_search_count(slot) > 0)
        }
        #expect(hsip_search_count(slot) == 0)
    }

    private func use(_ text: [UInt8], _ look: (PrivateKey) throws -> Void) throws {
        let words = try passphrase("geheim")
        for cipher in [KeyFileCipher.aes256CTR, .aes128CBC, .aes256GCM, .chacha20Poly1305] {
            let key = try OpenSSHKeyFile(text: text).open(passphrase: words)
            _ = try key.sign([1, 2, 3])
            _ = try PrivateKey.pem(pkcs8: try key.pkcs8())
            let file = try OpenSSHKeyFile(key, passphrase: words, cipher: cipher, rounds: 1, entropy: .system)
            let again = try OpenSSHKeyFile(text: exposed(try file.text())).open(passphrase: words)
            if cipher == .chacha20Poly1305 { try look(again) }
        }
    }
}
