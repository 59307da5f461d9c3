internal import HSIP
internal import VaultCrypto

/// Sealing and opening messages with the library, without a store.
enum MessageRows {
    private static let rounds = 41

    static func measure() throws -> [Row] {
        try measure("140 bytes", count: 140) + measure("1 KiB", count: 1_024)
    }

    private static func measure(_ size: String, count: Int) throws -> [Row] {
        let text = Array("The quick brown fox jumps over the lazy dog. ".utf8)
        let plaintext = (0..<count).map { text[$0 % text.count] }
        let ours = try Message(plaintext)
        let bare = try BareMessages(text: plaintext, usesTables: false)
        let fast = try BareMessages(text: plaintext, usesTables: true)
        try ours.seal()
        try ours.open()
        return [
            try compare("seal \(size)", { try ours.seal() }, { bare.seal() }, { fast.seal() }),
            try compare("open \(size)", { try ours.open() }, { try bare.open() }, { try fast.open() }),
        ].flatMap(\.self)
    }

    private static func compare(
        _ what: String,
        _ ours: @escaping () throws -> Void,
        _ bare: @escaping () throws -> Void,
        _ fast: @escaping () throws -> Void
    ) throws -> [Row] {
        let count = try Rounds.repetitions(of: ours)
        let works = [ours, bare, fast].map { work in { for _ in 0..<count { try work() } } }
        let seconds = try Rounds.run(rounds, works) { try Rounds.processorSeconds($0) }
        let each = seconds.map { Format.time(Rounds.median($0) / Double(count)) }
        return [("bare libsodium", 1), ("the same with table base64", 2)].map { name, index in
            Row(
                what: what,
                ours: each[0],
                peer: "\(each[index]) \(name)",
                ratio: Rounds.ratio(seconds[index], seconds[0]),
                target: index == 1 ? .speed(atLeast: 0.8) : .none
            )
        }
    }
}

/// One text, sealed and opened as a program does it.
private final class Message {
    private let plaintext: Secret
    private let key: Secret
    private let nonceKey: Secret
    private let sender: PeerID
    private var counter: UInt32 = 0
    private var sealed: [UInt8] = []
    private var opened: SecretBytes

    init(_ text: [UInt8]) throws {
        plaintext = try Secret(copying: text)
        key = Secret(try Entropy.system.secret(32))
        nonceKey = Secret(try Entropy.system.secret(32))
        sender = try PeerID(publicKey: Entropy.system.bytes(32))
        opened = try SecretBytes(count: text.count)
    }

    /// Random bytes, hedged nonce, check of the text, cipher, compact form.
    func seal() throws {
        counter &+= 1
        let nonce = HedgedNonce.make(
            nonceKey: nonceKey,
            random: Entropy.system.bytes(16),
            counter: counter,
            plaintext: plaintext
        )
        sealed = try MessageCipher.sealCompact(plaintext, key: key, sender: sender, nonce: nonce)
    }

    /// Strict base64, header, cipher and the check of UTF-8, into memory that is there already.
    func open() throws {
        let envelope = try MessageText.parse(sealed)
        try opened.withMutableBytes { span throws(HSIPError) in
            try MessageCipher.open(envelope, key: key, into: &span)
        }
    }
}
