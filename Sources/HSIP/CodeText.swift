/// Finds codes in what people paste: chats, quoted mail, links (Schemas/hsip-xc1.md section 2).
///
/// Input is UTF-8 of at most 1 MiB. It may be hostile; bytes that are not UTF-8 are ordinary text. A code may be in any
/// case, with white space, `>` and zero-width characters between its characters, after `hsip:` or `hsip://`.
public enum CodeText {
    /// The longest text that is searched, in bytes; a longer text is `malformed`.
    public static let longestInput = 1 << 20

    /// The most different codes in one text; a text with more is `severalCodes`.
    public static let maximumCodes = 64

    /// The codes in a text, each once, in the order in which they first occur; never empty.
    ///
    /// Damaged or unsupported codes count only if the text has no usable code: if a pasted chat has
    /// one cut and one whole code, the person means the whole one. If the text has no usable code, the errors are, in this order:
    ///
    /// - `machineCode` for a code between one's own machines, which is accepted only by its own commands;
    /// - the error of the first code with an intact checksum (`unsupportedVersion`, `unsupportedSuite`,
    ///   `unsupportedFlag`, `singleKeyRefused`, or `malformed` for a value out of range);
    /// - the error of the first damaged code (`truncated`: characters are missing; `malformed`: characters are wrong or
    ///   extra);
    /// - `legacyLink` if the text has a link of the old apps; else `noCode`.
    public static func codes(in text: [UInt8]) throws(HSIPError) -> [ExchangeCode] {
        var codes: [ExchangeCode] = []
        var known: Set<ExchangeCode> = []
        var intact: HSIPError?
        var damaged: HSIPError?
        var machine: MachineCode?
        var hasLink = false
        var scanner = try scanner(of: text)
        while let place = scanner.next() {
            switch place {
            case .machine(let code): machine = machine ?? code
            case .code(let code):
                guard known.insert(code).inserted else { continue }
                guard codes.count < maximumCodes else { throw .severalCodes }
                codes.append(code)
            case .refused(let error, isIntact: true): intact = intact ?? error
            case .refused(let error, isIntact: false): damaged = damaged ?? error
            case .link: hasLink = true
            }
        }
        guard codes.isEmpty else { return codes }
        // Only specific commands accept the codes of machines.
        if let machine { throw .machineCode(machine.kind) }
        throw intact ?? damaged ?? (hasLink ? .legacyLink : .noCode)
    }

    /// The codes that a caller may ask about: the result of `codes(in:)` without the user's own codes.
    ///
    /// People quote the code that they answer, so an own code is dropped if another code remains; if all are own, all
    /// stay.
    public static func candidates(
        in text: [UInt8],
        isOwn: (ExchangeCode) -> Bool
    ) throws(HSIPError) -> [ExchangeCode] {
        let found = try codes(in: text)
        let others = found.filter { !isOwn($0) }
        return others.isEmpty ? found : others
    }

    /// The one code that a text means.
    ///
    /// - Throws: the errors of `codes(in:)`; `severalCodes` if more than one candidate remains.
    public static func single(
        in text: [UInt8],
        isOwn: (ExchangeCode) -> Bool
    ) throws(HSIPError) -> ExchangeCode {
        let candidates = try candidates(in: text, isOwn: isOwn)
        guard candidates.count == 1, let code = candidates.first else { throw .severalCodes }
        return code
    }

    /// The one code between machines that a text means; codes between people do not count.
    ///
    /// - Throws: `severalCodes` for two different codes; else the error of the first intact but unusable one, else of
    ///   the first damaged one; else `noCode`.
    public static func machineCode(in text: [UInt8]) throws(HSIPError) -> MachineCode {
        var found: MachineCode?
        var intact: HSIPError?
        var damaged: HSIPError?
        var scanner = try scanner(of: text)
        while let place = scanner.next() {
            switch place {
            case .machine(let code):
                guard found == nil || found == code else { throw .severalCodes }
                found = code
            case .refused(let error, isIntact: true): intact = intact ?? error
            case .refused(let error, isIntact: false): damaged = damaged ?? error
            case .code, .link: continue
            }
        }
        guard let found else { throw intact ?? damaged ?? .noCode }
        return found
    }

    /// The links of the old apps in a text, in order, so that they can be explained.
    public static func legacyLinks(in text: [UInt8]) throws(HSIPError) -> [LegacyLink] {
        var links: [LegacyLink] = []
        var scanner = try scanner(of: text)
        while let place = scanner.next() {
            if case .link(let link) = place { links.append(link) }
        }
        return links
    }

    private static func scanner(of text: [UInt8]) throws(HSIPError) -> CodeScanner {
        guard text.count <= longestInput else { throw .malformed }
        return CodeScanner(text)
    }
}

/// A link or text of the old HSIP apps: recognised so that it can be explained, never made into a session.
public enum LegacyLink: CaseIterable, Hashable, Sendable {
    /// `hsip://add?…`: a contact, by an id and a name or by a key.
    case add
    /// `hsip://exchange?…`: a key exchange without any proof.
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

    /// The numbers of characters of a PeerID as text: cut base32, base64, hexadecimal.
    private static let peerTextCounts: Set<Int> = [26, 43, 44, 64]

    /// The kind of link at `start`, the index after `hsip:`; nil for ordinary text.
    ///
    /// Unlike a code, a link must be in one piece. At most 66 bytes are read.
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
