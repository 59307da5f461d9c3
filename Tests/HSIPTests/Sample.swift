import HSIP
import Support
import VaultCrypto

/// A key, a sender and messages to try things with.
enum Sample {
    static let key = [UInt8](repeating: 5, count: 32)
    static let nonce = [UInt8](repeating: 6, count: 12)
    static let senderBytes = [UInt8](repeating: 7, count: 32)

    static var sender: PeerID {
        guard let sender = PeerID(bytes: senderBytes) else { preconditionFailure("32 bytes") }
        return sender
    }

    static func seal(_ text: [UInt8]) throws(HSIPError) -> MessageEnvelope {
        try MessageCipher.seal(text, key: key, sender: sender, nonce: nonce)
    }

    /// A message with any bytes inside, as another program might make it.
    static func sealUnchecked(_ bytes: [UInt8]) throws -> MessageEnvelope {
        let sealed = try ChaCha20Poly1305.seal(
            bytes,
            key: key,
            nonce: nonce,
            authenticating: MessageCipher.associatedData
        )
        return try MessageEnvelope(bytes: [1] + senderBytes + nonce + sealed.tag + sealed.ciphertext)
    }

    /// A random text without U+0000, up to 300 characters of one to four bytes.
    static func text(_ generator: inout SeededGenerator) -> [UInt8] {
        let choices: [Character] = ["a", "z", " ", "\n", "é", "م", "€", "語", "🔒", "🦊", "\u{10FFFF}"]
        let count = generator.number(in: 0...300)
        return Array(String((0..<count).map { _ in generator.pick(choices) ?? "a" }).utf8)
    }
}
