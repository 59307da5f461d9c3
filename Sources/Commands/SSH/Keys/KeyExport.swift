internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto

/// A private key as the text of a file, with a passphrase or without.
enum KeyExport {
    /// The forms of a private key file.
    enum Format: String, CaseIterable {
        case openssh, pkcs8
    }

    private static let rounds = "600000"

    /// Refuses a form that this program cannot write, before it reads the private key.
    static func check(_ format: Format, isEncrypted: Bool, _ context: Context) throws(Failure) {
        if format == .pkcs8, isEncrypted { _ = try openSSL(context) }
    }

    /// The text of the file; text in OpenSSH's form is read again and compared before it is returned.
    static func text(
        of key: PrivateKey,
        as format: Format,
        passphrase: Secret?,
        _ context: Context
    ) throws -> SecretBytes {
        switch format {
        case .openssh: try openSSH(key, passphrase)
        case .pkcs8: try pkcs8(key, passphrase, context)
        }
    }

    private static func openSSH(_ key: PrivateKey, _ passphrase: Secret?) throws -> SecretBytes {
        let text = try OpenSSHKeyFile(key, passphrase: passphrase, entropy: .system).text()
        let again = try OpenSSHKeyFile(text: text).open(passphrase: passphrase)
        guard ConstantTime.equal(try again.wire(), try key.wire()) else {
            throw Failure(.copyDiffers, "the file would contain another key")
        }
        return text
    }

    private static func openSSL(_ context: Context) throws(Failure) -> String {
        guard let tool = ChildProcess.find("openssl", in: context.environment) else {
            throw Failure(
                .unavailable,
                "hsip needs openssl for PKCS#8 with a passphrase, and openssl is not installed",
                hint: "--format openssh"
            )
        }
        return tool
    }

    /// The key in PKCS#8; with a passphrase, OpenSSL encrypts it and gets both through pipes.
    private static func pkcs8(
        _ key: PrivateKey,
        _ passphrase: Secret?,
        _ context: Context
    ) throws -> SecretBytes {
        let der = try key.pkcs8()
        guard let passphrase else { return try PrivateKey.pem(pkcs8: der) }
        let tool = try openSSL(context)
        let folder = try PrivateFolder(in: context.environment)
        let pipe = try folder.pipe("passphrase", holding: passphrase)
        let words = [
            "pkcs8", "-topk8", "-inform", "DER", "-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA256", "-iter",
            rounds,
            "-passout", "file:" + pipe.path,
        ]
        let variables = ["PATH": context.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        let child = try Child(tool, words, variables, input: Secret(der), keepsOutput: true)
        let text = try child.output(seconds: 30)
        guard child.succeeded, text.count > 0 else {
            throw Failure(.unavailable, "openssl could not write the key")
        }
        return text
    }
}
