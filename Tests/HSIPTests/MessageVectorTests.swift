import HSIP
import Testing
import VaultCrypto

/// Known answers for messages, in both directions and all forms.
struct MessageVectorTests {
    @Test(arguments: ScheduleVector.all)
    func `messages are sealed byte for byte as in the vectors`(vector: ScheduleVector) throws {
        let sender = try #require(PeerID(bytes: vector.hex("identity", "A_peerid")))
        let key = try vector.hex("epoch0", "key_i2r")
        let nonce = try vector.hex("message", "nonce")
        let plaintext = try vector.hex("message", "plaintext")
        let message = try MessageCipher.seal(plaintext, key: key, sender: sender, nonce: nonce)
        #expect(try message.bytes == vector.hex("message", "i2r_bytes"))
        #expect(try MessageText.compact(message) == vector.text("message", "i2r_compact"))
        #expect(try MessageText.write(message, as: .compact) == vector.text("message", "i2r_compact"))
        let verbose = try MessageText.write(message, as: .verbose(id: "abc123"))
        #expect(try verbose == vector.text("message", "i2r_verbose"))
        #expect(try MessageText.write(message, as: .stealth) == vector.text("message", "i2r_stealth"))
        let compact = try MessageCipher.sealCompact(plaintext, key: key, sender: sender, nonce: nonce)
        #expect(try compact == vector.text("message", "i2r_compact"))

        let peer = try #require(PeerID(bytes: vector.hex("identity", "B_peerid")))
        let back = try MessageCipher.sealCompact(
            plaintext,
            key: vector.hex("epoch0", "key_r2i"),
            sender: peer,
            nonce: nonce
        )
        #expect(try back == vector.text("message", "r2i_compact"))
    }

    @Test(arguments: ScheduleVector.all, ["i2r_compact", "i2r_verbose", "i2r_stealth", "r2i_compact"])
    func `messages of the vectors are read and opened`(vector: ScheduleVector, form: String) throws {
        let message = try MessageText.parse(vector.text("message", form))
        let (key, peer) = form.hasPrefix("i2r") ? ("key_i2r", "A_peerid") : ("key_r2i", "B_peerid")
        #expect(try message.sender.bytes == vector.hex("identity", peer))
        #expect(try message.nonce == vector.hex("message", "nonce"))
        let plaintext = try MessageCipher.open(message, key: vector.hex("epoch0", key))
        try expect(plaintext, is: vector.hex("message", "plaintext"))
    }

    @Test(arguments: ScheduleVector.all)
    func `upstream's own test message is sealed and opened`(vector: ScheduleVector) throws {
        let text = try vector.text("message", "upstream_test_key42_peer1")
        let key = [UInt8](repeating: 42, count: 32)
        let sender = try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32)))
        let message = try MessageText.parse(text)
        #expect(message.sender == sender)
        expect(try MessageCipher.open(message, key: key), is: Array("Hello, HSIP Keyboard!".utf8))
        let again = try MessageCipher.sealCompact(
            Array("Hello, HSIP Keyboard!".utf8),
            key: key,
            sender: sender,
            nonce: vector.hex("message", "nonce")
        )
        #expect(again == text)
    }

    @Test(arguments: ScheduleVector.all)
    func `the hedged nonce is that of the vectors`(vector: ScheduleVector) throws {
        let nonce = HedgedNonce.make(
            nonceKey: try vector.hex("message", "hedged", "nonce_key"),
            random: try vector.hex("message", "hedged", "random"),
            counter: UInt32(try vector.number("message", "hedged", "counter")),
            plaintext: try vector.hex("message", "plaintext")
        )
        #expect(try nonce == vector.hex("message", "hedged", "nonce"))
    }
}
