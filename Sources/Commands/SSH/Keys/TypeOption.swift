internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `--type` and `--bits`.
enum TypeOption {
    /// The kind of key that they name.
    ///
    /// - Throws: usage for one that is not made here.
    static func kind(_ type: String, bits: Int?) throws(Failure) -> KeyKind {
        switch (type.lowercased(), bits) {
        case ("ed25519", nil): .ed25519
        case ("ecdsa", nil), ("ecdsa", 256): .ecdsa(.p256)
        case ("ecdsa", 384): .ecdsa(.p384)
        case ("ecdsa", 521): .ecdsa(.p521)
        case ("rsa", nil), ("rsa", 3072): .rsa(bits: 3072)
        case ("rsa", 4096): .rsa(bits: 4096)
        default: throw refused(type.lowercased())
        }
    }

    /// What is wrong with a type, or else with the bits that go with it.
    private static func refused(_ type: String) -> Failure {
        let (message, hint) =
            switch type {
            case "ed25519": ("--bits is not for ed25519 keys", "--type ed25519")
            case "ecdsa": ("an ECDSA key has 256, 384 or 521 bits", "--type ecdsa --bits 256|384|521")
            case "rsa": ("an RSA key has 3072 or 4096 bits", "--type rsa --bits 3072|4096")
            case "dsa": ("hsip makes no DSA keys; OpenSSH dropped DSA", "--type ed25519")
            default: ("--type must be ed25519, ecdsa or rsa", "--type ed25519|ecdsa|rsa")
            }
        return Failure.usage(message, hint: hint)
    }
}
