internal import Console
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
        default:
            throw Failure(
                .usage,
                code: "usage",
                message: "there is no such key to be made",
                hint: "--type ed25519, --type ecdsa --bits 256|384|521, --type rsa --bits 3072|4096"
            )
        }
    }
}
