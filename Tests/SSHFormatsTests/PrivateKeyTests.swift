import SSHFormats
import Testing
import VaultCrypto

struct PrivateKeyTests {
    private static func make(_ seed: UInt8) throws -> [PrivateKey] {
        var keys = [try PrivateKey.ed25519(comment: "new".bytes, entropy: .seeded([seed]))]
        for curve in ECDSACurve.allCases {
            keys.append(try PrivateKey.ecdsa(curve, comment: "new".bytes, entropy: .seeded([seed])))
        }
        return keys
    }

    @Test func `a new key is taken by ssh-keygen, and is another one each time`() throws {
        let ssh = try OpenSSH()
        for (first, second) in zip(try Self.make(1), try Self.make(2)) {
            #expect(!first.publicKey.isSameKey(as: second.publicKey))
            let file = try OpenSSHKeyFile(first, passphrase: nil, entropy: .seeded([3]))
            try ssh.write(exposed(try file.text()), to: "id")
            #expect(try ssh.keygen(["-y", "-f", "id"]) == first.publicKey.line + [0x0A])
        }
    }

    @Test(arguments: PrivateKey.rsaSizes)
    func `a new RSA key is taken by ssh-keygen`(bits: Int) throws {
        let ssh = try OpenSSH()
        let key = try PrivateKey.rsa(bits: bits, comment: "new".bytes)
        #expect(key.publicKey.bits == bits)
        let file = try OpenSSHKeyFile(key, passphrase: nil, entropy: .seeded([3]))
        try ssh.write(exposed(try file.text()), to: "id")
        #expect(try ssh.keygen(["-y", "-f", "id"]) == key.publicKey.line + [0x0A])
        try ssh.write("m".bytes, to: "m")
        try ssh.keygen(["-q", "-Y", "sign", "-f", "id", "-n", "file", "m"])
        let (_, signature) = try Envelope.parts(try ssh.read("m.sig"))
        try key.publicKey.verify(signature, message: Envelope(message: "m".bytes).signed)
    }

    @Test func `RSA keys are made in two sizes`() {
        #expect(throws: SSHFormatError.rsaTooShort(bits: 2048)) { try PrivateKey.rsa(bits: 2048) }
        #expect(throws: SSHFormatError.malformed) { try PrivateKey.rsa(bits: 3073) }
    }

    @Test func `the same entropy makes the same key`() throws {
        for (first, second) in zip(try Self.make(1), try Self.make(1)) {
            #expect(first.publicKey == second.publicKey)
        }
    }

    @Test func `entropy that gives no number in range ends in an error`() {
        let broken = Entropy { [UInt8](repeating: 0, count: $0) }
        #expect(throws: SSHFormatError.badKey) { try PrivateKey.ecdsa(.p256, entropy: broken) }
    }

    @Test(arguments: KeyKind.quick)
    func `a key goes over the wire and back`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try OpenSSHKeyFile.key(try ssh.read("id"))
        let wire = Secret(try key.wire())
        let back = try PrivateKey(wire: wire, publicKey: key.publicKey)
        #expect(back.publicKey == key.publicKey)
        #expect(exposed(try back.wire()) == exposed(wire))
        #expect(try PrivateKey(wire: wire, publicKey: nil).comment.isEmpty)
        let other = try PrivateKey.ed25519(entropy: .seeded([8])).publicKey
        #expect(throws: SSHFormatError.halvesDiffer) { try PrivateKey(wire: wire, publicKey: other) }
        let longer = try Secret(copying: exposed(wire) + [0])
        #expect(throws: SSHFormatError.trailingBytes) { try PrivateKey(wire: longer, publicKey: nil) }
    }

    @Test(arguments: [KeyKind.ed25519, .ecdsa256, .ecdsa521, .rsa2048])
    func `a key with any changed bit or end is refused`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try OpenSSHKeyFile.key(try ssh.read("id"))
        let wire = exposed(try key.wire())
        // RSA is checked at length, so only every seventh byte is changed.
        for index in stride(from: 0, to: wire.count, by: kind == .rsa2048 ? 7 : 1) {
            var changed = wire
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: SSHFormatError.self, "byte \(index)") {
                _ = try PrivateKey(wire: try Secret(copying: changed), publicKey: nil)
            }
            #expect(throws: SSHFormatError.self) {
                _ = try PrivateKey(wire: try Secret(copying: Array(wire.prefix(index))), publicKey: nil)
            }
        }
    }

    @Test func `halves of different keys are told apart in every type`() throws {
        for (first, second) in zip(try Self.make(1), try Self.make(2)) {
            let (own, other) = (exposed(try first.wire()), exposed(try second.wire()))
            // The secret number is at the end in all of these.
            let mixed = own.dropLast(20) + other.suffix(20)
            #expect(throws: SSHFormatError.self) {
                _ = try PrivateKey(wire: try Secret(copying: Array(mixed)), publicKey: nil)
            }
        }
    }

    @Test func `a short RSA key is refused with its size`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["rsa", "-b", "1024"])
        #expect(throws: SSHFormatError.rsaTooShort(bits: 1024)) { try OpenSSHKeyFile.key(try ssh.read("id")) }
    }

    @Test func `the handle of a security key is kept and cannot sign`() throws {
        var point = WireReader(try PrivateKey.ed25519(entropy: .seeded([5])).publicKey.blob)
        _ = try point.string()
        var wire = WireWriter()
        wire.string("sk-ssh-ed25519@openssh.com")
        wire.string(try point.string())
        wire.string("ssh:")
        wire.byte(1)
        wire.string([UInt8](repeating: 0xAB, count: 64))
        wire.string("")
        var key = try PrivateKey(wire: try Secret(copying: wire.bytes), publicKey: nil)
        #expect(key.algorithm == .securityEd25519)
        #expect(!key.isUsable)
        #expect(throws: SSHFormatError.unsupportedKeyType) { try key.sign([1]) }
        #expect(exposed(try key.wire()) == wire.bytes)
        key.comment = "touch me".bytes
        let ssh = try OpenSSH()
        for words in [nil, "x"] as [String?] {
            let secret = try words.map(passphrase)
            let file = try OpenSSHKeyFile(key, passphrase: secret, rounds: 1, entropy: .seeded([6]))
            let text = exposed(try file.text())
            #expect(exposed(try OpenSSHKeyFile.key(text, words).wire()) == wire.bytes)
            #expect(try OpenSSHKeyFile.key(text, words).comment == key.comment)
            try ssh.write(text, to: "id_sk")
            let shown = try ssh.keygen(["-y", "-P", words ?? "", "-f", "id_sk"])
            #expect(shown == key.publicKey.line + [0x0A])
            _ = try ssh.run("/bin/rm", ["id_sk"])
        }
    }

    @Test(arguments: KeyFileCipher.allCases)
    func `a key of an unknown type is kept to the last byte`(cipher: KeyFileCipher) throws {
        for length in [0, 1, 7, 8, 15] {
            var blob = WireWriter()
            blob.string("ssh-mldsa44-ed25519@openssh.com")
            blob.string([1, 2, 3])
            let publicKey = try PublicKey(blob: blob.bytes)
            var whole = WireWriter()
            whole.string("ssh-mldsa44-ed25519@openssh.com")
            whole.string([UInt8](repeating: 9, count: 32 + length))
            whole.string("its comment")
            let wire = try Secret(copying: whole.bytes)
            let key = try PrivateKey(wire: wire, publicKey: publicKey)
            #expect(!key.isUsable)
            let words: String? = cipher == .none ? nil : "x"
            let secret = try words.map(passphrase)
            let file = try OpenSSHKeyFile(
                key,
                passphrase: secret,
                cipher: cipher,
                rounds: 1,
                entropy: .seeded([7])
            )
            let back = try OpenSSHKeyFile.key(exposed(try file.text()), words)
            #expect(back.publicKey == publicKey)
            let kept = exposed(try back.wire())
            #expect(kept.starts(with: whole.bytes))
            let padding = Array(kept[whole.bytes.count...])
            let expected = padding.indices.map { UInt8($0 + 1) }
            #expect(padding == expected && padding.count < 8)
            // Written again in another cipher, it is the same, whatever the blocks of the first were.
            let again = try OpenSSHKeyFile(back, passphrase: nil, entropy: .seeded([7]))
            #expect(exposed(try OpenSSHKeyFile.key(exposed(try again.text())).wire()) == kept)
        }
    }

    @Test func `a private key shows only its fingerprint`() throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([5]))
        var text = ""
        dump(key, to: &text)
        #expect(text == "- <private key \(key.publicKey.fingerprint)>\n")
        #expect("\(key)" == "<private key \(key.publicKey.fingerprint)>")
    }
}
