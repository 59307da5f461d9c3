import SSHFormats
import Support
import Testing
import VaultCrypto

struct HostileBytesTests {
    private static let ciphers: [KeyFileCipher] = [
        .none, .aes256CTR, .aes256CBC, .aes256GCM, .chacha20Poly1305,
    ]

    /// The bytes within a key file of one round.
    private static func bytes(_ cipher: KeyFileCipher) throws -> (PrivateKey, [UInt8]) {
        let key = try PrivateKey.ed25519(comment: "c".bytes, entropy: .seeded([1]))
        let words: Secret? = cipher == .none ? nil : try passphrase("x")
        let file = try OpenSSHKeyFile(
            key,
            passphrase: words,
            cipher: cipher,
            rounds: 1,
            entropy: .seeded([2])
        )
        return (key, unarmored(exposed(try file.text())))
    }

    private static func unarmored(_ text: [UInt8]) -> [UInt8] {
        let base64 = text.text.split(separator: "\n").dropFirst().dropLast().joined()
        return StrictBase64.decode(base64.bytes) ?? []
    }

    private static func open(_ bytes: [UInt8]) throws -> PrivateKey {
        let text =
            "-----BEGIN OPENSSH PRIVATE KEY-----\n\(StrictBase64.encode(bytes))\n"
            + "-----END OPENSSH PRIVATE KEY-----\n"
        return try OpenSSHKeyFile(text: text.bytes).open(passphrase: try passphrase("x"), roundLimit: 2)
    }

    @Test(arguments: ciphers)
    func `every truncation of a key file is an error`(cipher: KeyFileCipher) throws {
        let (key, bytes) = try Self.bytes(cipher)
        #expect(try Self.open(bytes).publicKey == key.publicKey)
        for count in 0..<bytes.count {
            #expect(throws: SSHFormatError.self) { try Self.open(Array(bytes.prefix(count))) }
        }
        #expect(throws: SSHFormatError.trailingBytes) { try Self.open(bytes + [0]) }
    }

    @Test(arguments: ciphers)
    func `every changed byte of a key file is an error, or the same key`(cipher: KeyFileCipher) throws {
        let (key, bytes) = try Self.bytes(cipher)
        for index in bytes.indices {
            // With a passphrase a change costs a round of bcrypt each time.
            for change in cipher == .none ? [1, 0x80, 0xFF] : [1 << UInt8(index % 8)] as [UInt8] {
                var changed = bytes
                changed[index] ^= change
                do {
                    // Ciphers without a tag let the comment be changed, nothing else.
                    let read = try Self.open(changed)
                    #expect(read.publicKey.isSameKey(as: key.publicKey), "byte \(index)")
                    #expect(exposed(try read.wire()) == exposed(try key.wire()), "byte \(index)")
                } catch {
                    #expect(error is SSHFormatError, "byte \(index)")
                }
            }
        }
    }

    @Test(arguments: KeyKind.quick)
    func `every changed byte of a public line is an error or another key`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments, comment: "c")
        let line = Array(try ssh.read("id.pub").dropLast())
        let key = try PublicKey(line: line)
        for index in line.indices {
            var changed = line
            changed[index] ^= 1
            do {
                let other = try PublicKey(line: changed)
                #expect(other != key)
                #expect(try PublicKey(line: other.line) == other)
            } catch {
                #expect(error != .outOfMemory)
            }
            _ = try? PublicKey(rfc4716: Array(key.rfc4716.prefix(index)))
        }
    }

    @Test(arguments: [KeyFileCipher.none, .aes256CTR])
    func `lengths that lie are errors, whatever the numbers`(cipher: KeyFileCipher) throws {
        let (_, bytes) = try Self.bytes(cipher)
        // Behind these are the bytes that are encrypted, without lengths to be seen.
        for place in 0..<(cipher == .none ? bytes.count - 4 : 160) {
            for length in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32] {
                var changed = bytes
                for (offset, shift) in stride(from: UInt32(24), through: 0, by: -8).enumerated() {
                    changed[place + offset] = UInt8(truncatingIfNeeded: length >> shift)
                }
                do {
                    _ = try Self.open(changed)
                } catch {
                    #expect(error is SSHFormatError)
                }
            }
        }
    }

    @Test(arguments: [0, 0x80, 0xC1, 0xFF] as [UInt8])
    func `a byte that is no character of base64 is refused in a key file`(byte: UInt8) throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([1]))
        let text = exposed(try OpenSSHKeyFile(key, passphrase: nil, entropy: .seeded([2])).text())
        for place in 40..<text.count - 40 {
            var changed = text
            changed[place] = byte
            #expect(throws: SSHFormatError.malformedBase64) { try OpenSSHKeyFile(text: changed) }
            changed = text
            changed.insert(byte, at: place)
            #expect(throws: SSHFormatError.malformedBase64) { try OpenSSHKeyFile(text: changed) }
        }
    }

    @Test func `random bytes are never a key and never a crash`() throws {
        try forAll("random bytes are refused", runs: 2000) { generator in
            generator.bytes(generator.number(in: 0...300))
        } check: { bytes in
            if (try? PublicKey(blob: bytes)) != nil { return false }
            if (try? PublicKey(line: bytes)) != nil { return false }
            if (try? PublicKey(rfc4716: bytes)) != nil { return false }
            if (try? Self.open("openssh-key-v1\0".bytes + bytes)) != nil { return false }
            if (try? SSHSignature(wire: bytes)) != nil { return false }
            return (try? PrivateKey(wire: try Secret(copying: bytes), publicKey: nil)) == nil
        }
    }
}
