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
    /// Damaged or unsupported codes count only if the text has no usable code: a person who pastes a chat with one cut
    /// and one whole code means the whole one. If the text has no usable code, the errors are, in this order:
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
