import SSHFormats
import Testing
import VaultCrypto

struct SigningTests {
    @Test(arguments: KeyKind.quick)
    func `what is signed here is good to ssh-keygen`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try OpenSSHKeyFile.key(try ssh.read("id"))
        let message = "a message".bytes
        for algorithm in [nil, .rsaSHA256, .rsaSHA512] as [SignatureAlgorithm?] {
            if let algorithm, algorithm.keyAlgorithm != key.algorithm { continue }
            let envelope = Envelope(message: message)
            let signature = try key.sign(envelope.signed, algorithm: algorithm)
            try key.publicKey.verify(signature, message: envelope.signed)
            try ssh.write(envelope.armored(key.publicKey, signature), to: "m.sig")
            let check = ["-Y", "check-novalidate", "-n", "file", "-s", "m.sig"]
            #expect(try ssh.keygen(check, input: message).text.hasPrefix("Good"))
            #expect(throws: OpenSSH.Failure.self) { try ssh.keygen(check, input: message + [0]) }
        }
    }

    @Test(arguments: KeyKind.quick)
    func `what ssh-keygen signs is good here`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        // P-521 has numbers of odd lengths now and then, so several are tried.
        for number in 0..<8 {
            let message = "message \(number)".bytes
            try ssh.write(message, to: "m")
            try ssh.keygen(["-q", "-Y", "sign", "-f", "id", "-n", "file", "m"])
            let (key, signature) = try Envelope.parts(try ssh.read("m.sig"))
            _ = try ssh.run("/bin/rm", ["m.sig"])
            let signed = Envelope(message: message).signed
            try key.verify(signature, message: signed)
            #expect(throws: SSHFormatError.badSignature) { try key.verify(signature, message: signed + [0]) }
        }
    }

    @Test(arguments: KeyKind.quick)
    func `a signature with any changed bit or end is refused`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try OpenSSHKeyFile.key(try ssh.read("id"))
        let wire = try key.sign([1, 2, 3]).wire
        #expect(try SSHSignature(wire: wire).wire == wire)
        for index in wire.indices {
            var changed = wire
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: SSHFormatError.self, "byte \(index)") {
                try key.publicKey.verify(try SSHSignature(wire: changed), message: [1, 2, 3])
            }
            #expect(throws: SSHFormatError.self) { try SSHSignature(wire: Array(wire.prefix(index))) }
        }
    }

    @Test func `SHA-1 is refused by name`() {
        for name in ["ssh-rsa", "ssh-dss"] {
            #expect(throws: SSHFormatError.sha1Refused) { try SignatureAlgorithm(name: name) }
        }
        #expect(throws: SSHFormatError.wrongSignatureAlgorithm) { try SignatureAlgorithm(name: "ssh-ed448") }
    }

    @Test func `a key signs with its own algorithm only`() throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([1]))
        #expect(throws: SSHFormatError.wrongSignatureAlgorithm) { try key.sign([1], algorithm: .rsaSHA256) }
        let other = try PrivateKey.ecdsa(.p256, entropy: .seeded([1]))
        #expect(throws: SSHFormatError.wrongSignatureAlgorithm) {
            try other.publicKey.verify(try key.sign([1]), message: [1])
        }
    }

    /// Made in software as a security key would (PROTOCOL.u2f), since a test has none; ssh-keygen is the judge.
    @Test func `the signature of a security key is verified as ssh-keygen does`() throws {
        let soft = try PrivateKey.ed25519(entropy: .seeded([5]))
        var point = WireReader(soft.publicKey.blob)
        _ = try point.string()
        var blob = WireWriter()
        blob.string("sk-ssh-ed25519@openssh.com")
        blob.string(try point.string())
        blob.string("ssh:")
        let key = try PublicKey(blob: blob.bytes)
        let trailer: [UInt8] = [1, 0, 0, 0, 7]
        let envelope = Envelope(message: "touched".bytes)
        let signed = Hash.sha256("ssh:".bytes) + trailer + Hash.sha256(envelope.signed)
        var wire = WireWriter()
        wire.string("sk-ssh-ed25519@openssh.com")
        wire.string(try soft.sign(signed).value)
        wire.raw(trailer)
        let signature = try SSHSignature(wire: wire.bytes)
        try key.verify(signature, message: envelope.signed)
        #expect(throws: SSHFormatError.badSignature) { try key.verify(signature, message: signed) }
        let ssh = try OpenSSH()
        try ssh.write(envelope.armored(key, signature), to: "m.sig")
        let check = ["-Y", "check-novalidate", "-n", "file", "-s", "m.sig"]
        #expect(try ssh.keygen(check, input: "touched".bytes).text.hasPrefix("Good"))
    }
}
