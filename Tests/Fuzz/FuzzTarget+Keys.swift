import SSHFormats
import VaultCrypto

extension FuzzTarget {
    /// The passphrase of all seeds.
    private static let words = Array("x".utf8)

    static func keyFile(_ bytes: [UInt8]) -> String? {
        guard let file = try? OpenSSHKeyFile(text: armored(bytes)), !file.isEncrypted else { return nil }
        guard let key = try? file.open(passphrase: nil) else { return nil }
        guard key.publicKey.isSameKey(as: file.publicKey) else { return "the halves differ" }
        return brokenPromise(of: key)
    }

    static func encryptedKeyFile(_ bytes: [UInt8]) -> String? {
        guard let file = try? OpenSSHKeyFile(text: armored(bytes)) else { return nil }
        if file.isEncrypted, (try? file.open(passphrase: nil)) != nil { return "opened without a passphrase" }
        guard let words = try? Secret(copying: words) else { return nil }
        guard let key = try? file.open(passphrase: words, roundLimit: 1) else { return nil }
        return brokenPromise(of: key)
    }

    static func keyText(_ bytes: [UInt8]) -> String? {
        let container = KeyContainer(bytes)
        guard let file = try? OpenSSHKeyFile(text: bytes) else { return nil }
        // A text before the key may be longer than what is looked at to tell files apart.
        if container != .openSSH, container != .pem, bytes.count < 60_000 { return "taken for \(container)" }
        guard !file.isEncrypted, let key = try? file.open(passphrase: nil) else { return nil }
        return brokenPromise(of: key)
    }

    static func agentKey(_ bytes: [UInt8]) -> String? {
        guard let message = try? Secret(copying: bytes) else { return nil }
        if let key = try? PrivateKey(addition: message), let broken = brokenPromise(of: key) { return broken }
        guard let key = try? PrivateKey(wire: message, publicKey: nil) else { return nil }
        return brokenPromise(of: key)
    }

    /// What holds of every private key that was read: it is written and read again the same, and signs.
    private static func brokenPromise(of key: PrivateKey) -> String? {
        guard let wire = try? key.wire() else { return "a key that was read cannot be written" }
        let file = try? OpenSSHKeyFile(key, passphrase: nil, entropy: .seeded([1]))
        guard let text = try? file?.text() else { return "a key that was read has no file" }
        guard let again = try? OpenSSHKeyFile(text: text).open(passphrase: nil) else {
            return "a file that was written cannot be read"
        }
        guard again.publicKey == key.publicKey else { return "another public half comes back" }
        guard let second = try? again.wire(), ConstantTime.equal(second, wire) else {
            return "another private half comes back"
        }
        guard key.isUsable else { return nil }
        guard let signature = try? key.sign(words) else { return "a usable key does not sign" }
        return (try? key.publicKey.verify(signature, message: words)) == nil ? "a signature is not good" : nil
    }

    private static func armored(_ bytes: [UInt8]) -> [UInt8] {
        Array("-----BEGIN OPENSSH PRIVATE KEY-----\n".utf8) + StrictBase64.encodedBytes(bytes)
            + Array("\n-----END OPENSSH PRIVATE KEY-----\n".utf8)
    }
}
