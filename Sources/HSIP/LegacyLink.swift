/// A link or text of the old HSIP apps: recognised so that it can be explained, never made into a session.
public enum LegacyLink: CaseIterable, Hashable, Sendable {
    /// `hsip://add?…`: a contact, by an id and a name or by a key.
    case add
    /// `hsip://exchange?…`: a key exchange that carries no proof.
    case exchange
    /// `hsip://peer/…`: a PeerID.
    case peer
    /// `hsip://m/…`: the link line of an encrypted message.
    case message
    /// `hsip://decrypt?…`: the other link line of an encrypted message.
    case decrypt
    /// `hsip:` and a PeerID as bare text.
    case peerText
    /// Any other `hsip://…`.
    case other

    /// The beginnings after `hsip://`, lower case.
    private static let beginnings: [(text: [UInt8], link: LegacyLink)] = [
        (Array("add?".utf8), .add), (Array("exchange?".utf8), .exchange), (Array("peer/".utf8), .peer),
        (Array("m/".utf8), .message), (Array("decrypt?".utf8), .decrypt),
    ]

    /// How many characters a PeerID has as text: cut base32, base64, hexadecimal.
    private static let peerTextCounts: Set<Int> = [26, 43, 44, 64]

    /// Which link stands at `start`, the place directly after `hsip:`; nil if this is ordinary text.
    ///
    /// Unlike a code a link must be in one piece. Reads at most 66 bytes.
    static func at(_ start: Int, in text: [UInt8]) -> LegacyLink? {
        let head = text[start..<min(start + 66, text.count)].map(Bech32m.lowercased)
        guard head.starts(with: [0x2F, 0x2F]) else {
            let run = head.prefix { isBase64($0) }.count
            return peerTextCounts.contains(run) ? .peerText : nil
        }
        let path = head.dropFirst(2)
        if let known = beginnings.first(where: { path.starts(with: $0.text) }) { return known.link }
        return path.first.map { (0x21...0x7E).contains($0) } == true ? .other : nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }
}
