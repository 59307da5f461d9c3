import SSHFormats
import Support
import Testing
import VaultCrypto

struct KeyFileTests {
    @Test(arguments: KeyKind.allCases)
    func `a key without a passphrase is read, and written so that ssh-keygen reads it`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try OpenSSHKeyFile.key(try ssh.read("id"))
        #expect(key.publicKey.line + [0x0A] == (try ssh.read("id.pub")))
        #expect(key.isUsable)
        let file = try OpenSSHKeyFile(key, passphrase: nil, entropy: .seeded([1]))
        try ssh.write(exposed(try file.text()), to: "out")
        #expect(try ssh.keygen(["-y", "-f", "out"]) == (try ssh.read("id.pub")))
    }

    @Test(arguments: KeyKind.quick, KeyFileCipher.allCases.filter { $0 != .none })
    func `a key in every cipher goes in and out`(kind: KeyKind, cipher: KeyFileCipher) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments, passphrase: "geheim", more: ["-Z", cipher.rawValue])
        let read = try OpenSSHKeyFile(text: try ssh.read("id"))
        #expect(read.cipher == cipher)
        #expect(read.rounds == 1)
        let key = try read.open(passphrase: try passphrase("geheim"))
        #expect(key.publicKey.line + [0x0A] == (try ssh.read("id.pub")))
        let file = try OpenSSHKeyFile(
            key,
            passphrase: try passphrase("neu"),
            cipher: cipher,
            rounds: 1,
            entropy: .seeded([2])
        )
        try ssh.write(exposed(try file.text()), to: "out")
        #expect(try ssh.keygen(["-y", "-P", "neu", "-f", "out"]) == (try ssh.read("id.pub")))
        #expect(throws: OpenSSH.Failure.self) { try ssh.keygen(["-y", "-P", "geheim", "-f", "out"]) }
    }

    @Test(arguments: KeyKind.quick.filter { $0 != .ed25519 })
    func `a key in PKCS8 is one for ssh-keygen`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try OpenSSHKeyFile.key(try ssh.read("id"))
        try ssh.write(exposed(try PrivateKey.pem(pkcs8: try key.pkcs8())), to: "out")
        let back = try PublicKey(line: try ssh.keygen(["-y", "-f", "out"]))
        #expect(back.isSameKey(as: key.publicKey))
    }

    @Test func `with the same check number, a file is the one of ssh-keygen to the byte`()
        throws
    {
        let ssh = try OpenSSH()
        for kind in KeyKind.quick {
            try ssh.makeKey(kind.rawValue, type: kind.arguments, comment: "of length \(kind)")
            let text = try ssh.read(kind.rawValue)
            let key = try OpenSSHKeyFile.key(text)
            // The check number stands behind two lengths, the first of which is that of the public half.
            let base64 = text.text.split(separator: "\n").dropFirst().dropLast().joined()
            let bytes = try #require(StrictBase64.decode(base64.bytes))
            let place = 15 + 8 + 8 + 4 + 4 + 4 + key.publicKey.blob.count + 4
            let check = Array(bytes[place..<place + 4])
            let entropy = Entropy { count in count == 4 ? check : [UInt8](repeating: 0, count: count) }
            let file = try OpenSSHKeyFile(key, passphrase: nil, entropy: entropy)
            #expect(exposed(try file.text()) == text)
        }
    }

    @Test(arguments: [
        "x", "zwölf Boxkämpfer", "Καλημέρα 🔑", " blanks ", String(repeating: "long", count: 200),
    ])
    func `a passphrase is any text`(words: String) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"], passphrase: words.utf8.count < 5 ? words + "12345" : words)
        let words = words.utf8.count < 5 ? words + "12345" : words
        let key = try OpenSSHKeyFile.key(try ssh.read("id"), words)
        let file = try OpenSSHKeyFile(
            key,
            passphrase: try passphrase(words),
            rounds: 1,
            entropy: .seeded([3])
        )
        try ssh.write(exposed(try file.text()), to: "out")
        #expect(try ssh.keygen(["-y", "-P", words, "-f", "out"]) == (try ssh.read("id.pub")))
        #expect(throws: SSHFormatError.wrongPassphrase) {
            try OpenSSHKeyFile.key(try ssh.read("id"), words + "x")
        }
        #expect(throws: SSHFormatError.passphraseNeeded) { try OpenSSHKeyFile.key(try ssh.read("id")) }
        #expect(throws: SSHFormatError.passphraseNeeded) { try OpenSSHKeyFile.key(try ssh.read("id"), "") }
    }

    @Test(arguments: KeyFileCipher.allCases.filter { $0 != .none })
    func `a wrong passphrase is said to be wrong in every cipher`(cipher: KeyFileCipher) throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([9]))
        let file = try OpenSSHKeyFile(
            key,
            passphrase: try passphrase("a"),
            cipher: cipher,
            rounds: 1,
            entropy: .seeded([4])
        )
        #expect(throws: SSHFormatError.wrongPassphrase) { try file.open(passphrase: try passphrase("b")) }
    }

    @Test func `an empty passphrase writes a file without encryption`() throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([9]))
        let file = try OpenSSHKeyFile(key, passphrase: try passphrase(""), entropy: .seeded([4]))
        #expect(!file.isEncrypted)
        #expect(throws: SSHFormatError.unknownCipher) {
            try OpenSSHKeyFile(key, passphrase: try passphrase("x"), cipher: .none, entropy: .seeded([4]))
        }
    }

    @Test(arguments: [1, 4, 64, 70, 76, 1000])
    func `lines may have any width and either break`(width: Int) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        let lines = try ssh.read("id").text.split(separator: "\n")
        let base64 = Array(lines.dropFirst().dropLast().joined())
        let wrapped = stride(from: 0, to: base64.count, by: width).map {
            String(base64[$0..<min($0 + width, base64.count)])
        }
        for ending in ["\n", "\r\n", " \n", "\n\n"] {
            let text = ([String(lines[0])] + wrapped + [String(lines[lines.count - 1])]).joined(
                separator: ending
            )
            let key = try OpenSSHKeyFile.key((text + ending).bytes)
            #expect(key.publicKey.line + [0x0A] == (try ssh.read("id.pub")))
            #expect(try OpenSSHKeyFile.key(("\u{FEFF}note\n" + text).bytes).algorithm == .ed25519)
        }
    }

    @Test func `a comment of any bytes comes through`() throws {
        var key = try PrivateKey.ed25519(entropy: .seeded([9]))
        for comment in [
            [], [0x80, 0xFF, 0], [1], [1, 2, 3], Array("größe".utf8), [UInt8](repeating: 7, count: 3000),
        ] {
            key.comment = comment
            for words in [nil, "x"] as [String?] {
                let secret = try words.map(passphrase)
                let file = try OpenSSHKeyFile(key, passphrase: secret, rounds: 1, entropy: .seeded([4]))
                let text = exposed(try file.text())
                #expect(try OpenSSHKeyFile.key(text, words).comment == comment)
            }
        }
    }

    @Test func `too many rounds are refused before anything is computed`() throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([9]))
        let words = try passphrase("x")
        let file = try OpenSSHKeyFile(key, passphrase: words, rounds: 2, entropy: .seeded([4]))
        #expect(throws: SSHFormatError.tooManyRounds(rounds: 2, limit: 1)) {
            try file.open(passphrase: words, roundLimit: 1)
        }
        #expect(throws: SSHFormatError.tooManyRounds(rounds: 10_001, limit: 10_000)) {
            try OpenSSHKeyFile(key, passphrase: words, rounds: 10_001, entropy: .seeded([4]))
        }
        #expect(throws: SSHFormatError.malformed) {
            try OpenSSHKeyFile(key, passphrase: words, rounds: 0, entropy: .seeded([4]))
        }
    }

    @Test func `3des-cbc is refused by name`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"], passphrase: "geheim", more: ["-Z", "3des-cbc"])
        #expect(throws: SSHFormatError.tripleDESRefused) { try OpenSSHKeyFile(text: try ssh.read("id")) }
    }

    @Test func `text that is no key file says why not`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        let text = try ssh.read("id").text
        let cases: [(String, SSHFormatError)] = [
            ("", .noKey), ("-----BEGIN RSA PRIVATE KEY-----\n", .noKey), (text + "x", .trailingBytes),
            (text + text, .trailingBytes), (String(text.dropLast(10)), .truncated),
            (text.replacingOccurrences(of: "b3Bl", with: "b3B-"), .malformedBase64),
            (text.replacingOccurrences(of: "b3Bl", with: "b4Bl"), .malformed),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try OpenSSHKeyFile(text: text.bytes) }
        }
    }
}

extension String {
    fileprivate func replacingOccurrences(of old: String, with new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
