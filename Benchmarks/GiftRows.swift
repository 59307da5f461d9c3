internal import VaultCrypto
internal import VaultKit

/// A secret sent to a contact, beside a text of as many bytes.
enum GiftRows {
    private static let rounds = 41

    /// In this process, durable commits included; the contact is one with whom nothing was compared.
    static func send(home path: String, hsip: String) async throws -> Row {
        let home = try SampleHome(at: path, hsip: hsip)
        let table = path + "/gift.csv"
        let columns = "name,url,username,password,note\n"
        let values = "gift,https://example.org,somebody@example.org,a password,\n"
        try Scratch.write(Array((columns + values).utf8), to: table)
        try home.run(["--yes", "vault", "import", table])
        let vault = try home.open()
        var request = GiftRequest("gift", to: "bob")
        request.allowsUnverified = true
        let size = try await vault.sendGift(request).parcel.count
        let text = try Secret(copying: [UInt8](repeating: 0x61, count: size))
        var sending: [Double] = []
        var sealing: [Double] = []
        for _ in 0..<rounds {
            sealing.append(try await seconds { _ = try await vault.encrypt(text, to: "bob") })
            sending.append(try await seconds { _ = try await vault.sendGift(request) })
        }
        return Row(
            what: "send a secret of \(size) bytes",
            ours: Format.time(Rounds.median(sending)),
            peer: "\(Format.time(Rounds.median(sealing))) our encrypt of a text",
            ratio: Rounds.ratio(sending, sealing),
            target: .time(atMost: 1.3)
        )
    }

    private static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return (clock.now - start) / .seconds(1)
    }
}
