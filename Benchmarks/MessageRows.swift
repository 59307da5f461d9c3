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
        let bare = try BareMessages(text: plaintext)
        try ours.seal()
        try ours.open()
        bare.seal()
        try bare.open()
        return [
            try compare("seal \(size)", { try ours.seal() }, { bare.seal() }),
            try compare("open \(size)", { try ours.open() }, { try bare.open() }),
        ]
    }

    private static func compare(
        _ what: String,
        _ ours: () throws -> Void,
        _ bare: () throws -> Void
    ) throws -> Row {
        let count = try Rounds.repetitions(of: ours)
        let seconds = try withoutActuallyEscaping(ours) { ours in
            try withoutActuallyEscaping(bare) { bare in
                try Rounds.run(
                    rounds,
                    [
                        { for _ in 0..<count { try ours() } },
                        { for _ in 0..<count { try bare() } },
                    ]
                )
            }
        }
        return Row(
            what: what,
            ours: Format.time(Rounds.median(seconds[0]) / Double(count)),
            peer: "\(Format.time(Rounds.median(seconds[1]) / Double(count))) bare libsodium",
            ratio: Rounds.ratio(seconds[1], seconds[0]),
            target: .speed(atLeast: 0.8)
        )
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
