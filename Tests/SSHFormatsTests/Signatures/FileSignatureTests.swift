import SSHFormats
import Support
import Testing
import VaultCrypto

struct FileSignatureTests {
    private let message = Array("what is signed\n".utf8)
    private let git = Array("git".utf8)

    private func privateKey(_ ssh: OpenSSH, _ name: String) throws -> PrivateKey {
        try OpenSSHKeyFile.key(try ssh.read(name))
    }

    @Test(arguments: KeyKind.quick)
    func `what ssh-keygen signs is read, printed and verified here`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try PublicKey(line: try ssh.read("id.pub"))
        for hash in FileSignature.HashKind.allCases {
            let arguments = ["-q", "-Y", "sign", "-f", "id", "-n", "git", "-O", "hashalg=\(hash.rawValue)"]
            let text = try ssh.keygen(arguments, input: message)
            let signature = try FileSignature(armored: text)
            #expect(signature.armored == text)
            #expect(signature.key.isSameKey(as: key))
            #expect(signature.namespace == git)
            #expect(signature.hash == hash)
            try signature.verify(message, namespace: git)
            #expect(throws: SSHFormatError.wrongNamespace) {
                try signature.verify(message, namespace: "file".bytes)
            }
            #expect(throws: SSHFormatError.badSignature) {
                try signature.verify(message + [0], namespace: git)
            }
        }
    }

    @Test(arguments: KeyKind.quick)
    func `what is signed here ssh-keygen verifies`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try privateKey(ssh, "id")
        try ssh.write("me@example.org ".bytes + key.publicKey.line + [0x0A], to: "allowed")
        for hash in FileSignature.HashKind.allCases {
            let signature = try FileSignature(of: message, by: key, namespace: git, hash: hash)
            #expect(try FileSignature(armored: signature.armored) == signature)
            try ssh.write(signature.armored, to: "sig")
            let good = try ssh.keygen(
                ["-Y", "verify", "-f", "allowed", "-I", "me@example.org", "-n", "git", "-s", "sig"],
                input: message
            )
            #expect(good.text.hasPrefix("Good \"git\" signature for me@example.org"))
            let checked = try ssh.keygen(
                ["-Y", "check-novalidate", "-n", "git", "-s", "sig"],
                input: message
            )
            #expect(checked.text.contains(key.publicKey.fingerprint.description))
            let found = try ssh.keygen(["-Y", "find-principals", "-f", "allowed", "-s", "sig"])
            #expect(found.text == "me@example.org\n")
        }
    }

    @Test func `every change of one byte, and every cut, is refused with an error`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        let signature = try FileSignature(of: message, by: try privateKey(ssh, "id"), namespace: git)
        for index in signature.bytes.indices {
            for bit in [1, 0x80] as [UInt8] {
                var bytes = signature.bytes
                bytes[index] ^= bit
                #expect(throws: SSHFormatError.self) {
                    try FileSignature(bytes: bytes).verify(message, namespace: git)
                }
            }
            #expect(throws: SSHFormatError.self) {
                try FileSignature(bytes: Array(signature.bytes.prefix(index)))
            }
        }
        #expect(throws: SSHFormatError.trailingBytes) { try FileSignature(bytes: signature.bytes + [0]) }
        for index in signature.armored.indices {
            var text = signature.armored
            text[index] ^= 1
            // White space may change as it likes; then it is the same signature.
            guard let read = try? FileSignature(armored: text) else { continue }
            guard read != signature else { continue }
            #expect(throws: SSHFormatError.self) { try read.verify(message, namespace: git) }
        }
    }

    @Test func `the text may have other line breaks and widths, and more behind it`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        let signature = try FileSignature(of: message, by: try privateKey(ssh, "id"), namespace: git)
        let text = signature.armored.text
        let lines = text.split(separator: "\n")
        let narrow = lines.dropFirst().dropLast().joined().map { "\($0)\n" }.joined()
        // OpenSSH 9.2 does not know the other line break in its first line.
        #expect(try FileSignature(armored: text.replacing("\n", with: "\r\n").bytes) == signature)
        for other in [
            text + "more\n", String(text.dropLast()),
            "\(lines[0])\n\(narrow)\(lines.last ?? "")",
        ] {
            #expect(try FileSignature(armored: other.bytes) == signature)
            try ssh.write(other.bytes, to: "sig")
            try ssh.keygen(["-Y", "check-novalidate", "-n", "git", "-s", "sig"], input: message)
        }
        for other in [
            "x" + text, "\n" + text, String(text.dropLast(3)), "", "-----BEGIN SSH SIGNATURE-----\n",
        ] {
            #expect(throws: SSHFormatError.noSignature) { try FileSignature(armored: other.bytes) }
        }
    }

    @Test func `another version, hash or an empty namespace is refused`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        let key = try privateKey(ssh, "id")
        let bytes = try FileSignature(of: message, by: key, namespace: git).bytes
        #expect(throws: SSHFormatError.unsupportedVersion(2)) {
            try FileSignature(bytes: Array("SSHSIG".utf8) + [0, 0, 0, 2] + bytes.dropFirst(10))
        }
        #expect(throws: SSHFormatError.noSignature) { try FileSignature(bytes: [0] + bytes) }
        let unknown = bytes.text.contains("sha512")
        #expect(!unknown || throwsUnknownHash(bytes))
        for namespace in [[], [0], [UInt8](repeating: 0x61, count: 256)] as [[UInt8]] {
            #expect(throws: SSHFormatError.badNamespace) {
                try FileSignature(of: message, by: key, namespace: namespace)
            }
        }
    }

    private func throwsUnknownHash(_ bytes: [UInt8]) -> Bool {
        let name = "sha512".bytes
        guard let at = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else { return false }
        var other = bytes
        other.replaceSubrange(at..<at + name.count, with: "sha384".bytes)
        do {
            _ = try FileSignature(bytes: other)
            return false
        } catch {
            return error == .unknownHash
        }
    }
}
