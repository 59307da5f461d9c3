import SSHFormats
import Testing
import VaultCrypto

@Suite struct SignedDataTests {
    private static func key() throws -> PublicKey { try PrivateKey.ed25519(entropy: .system).publicKey }

    @Test func `a login is known by its form, with its user, session and host`() throws {
        let (key, host) = (try Self.key(), try Self.key())
        for bound in [nil, host] {
            guard
                case .login(let login) = SignedData(
                    AgentMessages.login(key, user: "ü", host: bound),
                    for: key
                )
            else {
                Issue.record("no login")
                continue
            }
            #expect(login.user == "ü".bytes)
            #expect(login.sessionID == AgentMessages.session)
            #expect(login.hostKey == bound)
            #expect(login.algorithm == "ssh-ed25519")
        }
    }

    @Test func `what is almost a login is raw`() throws {
        let (key, other) = (try Self.key(), try Self.key())
        let good = AgentMessages.login(key, host: other)
        #expect(SignedData(good, for: other) == .raw)
        #expect(SignedData(good + [0], for: key) == .raw)
        #expect(SignedData(AgentMessages.login(key, algorithm: "rsa-sha2-512"), for: key) == .raw)
        for count in 0..<good.count { #expect(SignedData(Array(good.prefix(count)), for: key) == .raw) }
        var changed = good
        changed[36] = 51
        #expect(SignedData(changed, for: key) == .raw)
    }

    @Test func `a login with RSA may announce any of its hashes`() throws {
        let key = try PrivateKey.rsa(bits: 3072).publicKey
        for name in ["ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"] {
            guard case .login = SignedData(AgentMessages.login(key, algorithm: name), for: key) else {
                Issue.record("\(name)")
                continue
            }
        }
    }

    @Test func `a file or a commit is known by its form, with its namespace`() throws {
        let key = try Self.key()
        let data = try FileSignature.signedData(of: "text".bytes, namespace: "git".bytes, hash: .sha512)
        #expect(SignedData(data, for: key) == .file(namespace: "git".bytes))
        #expect(SignedData(data + [0], for: key) == .raw)
        for count in 0..<data.count { #expect(SignedData(Array(data.prefix(count)), for: key) == .raw) }
        for (namespace, hash, size) in [("", "sha512", 64), ("git", "sha1", 20), ("git", "sha256", 64)] {
            let odd = AgentMessages.writing { data in
                data.raw("SSHSIG".bytes)
                for text in [namespace, "", hash] { data.string(text) }
                data.string([UInt8](repeating: 1, count: size))
            }
            #expect(SignedData(odd, for: key) == .raw)
        }
    }

    @Test func `a certificate to be signed is known, for its own authority only`() throws {
        let keys = try HostKeys.shared.get()
        let certificate = try keys.certificate("forms", of: 0, by: 1, hosts: ["h"])
        let signature = try Certificate(certificate).signature
        let data = Array(certificate.blob.dropLast(signature.count + 4))
        #expect(SignedData(data, for: keys[1]) == .certificate)
        #expect(SignedData(data, for: keys[0]) == .raw)
        #expect(SignedData(certificate.blob, for: keys[1]) == .raw)
    }

    @Test func `random bytes are raw`() throws {
        let key = try Self.key()
        for count in [0, 1, 20, 32, 1024] {
            #expect(SignedData(Entropy.system.bytes(count), for: key) == .raw)
        }
    }
}
