/// Scans a text once and finds every place with a code, or with an attempt at one.
///
/// The time is linear in the length of any text. A place ends at the first character that cannot belong to it, and a
/// code's data cannot contain `:` or `i`. So no part is read more than a few times.
struct CodeScanner {
    /// The content of a place.
    enum Place {
        case code(ExchangeCode)
        case machine(MachineCode)
        /// A code that cannot be used; `isIntact` if its checksum is right, so that it was written like this.
        case refused(HSIPError, isIntact: Bool)
        case link(LegacyLink)
    }

    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// The next place; nil at the end of the text.
    mutating func next() -> Place? {
        while position < text.count {
            let start = position
            position += 1
            guard Bech32m.lowercased(text[start]) == 0x68, start == 0 || !isLetterOrDigit(at: start - 1),
                let colon = match(Self.scheme, from: start + 1)
            else { continue }
            position = colon
            let word = match(Self.slashes, from: colon) ?? colon
            if let (kind, data) = kind(from: word) {
                position = data
                return code(kind, from: data)
            }
            if let link = LegacyLink.at(colon, in: text) { return .link(link) }
        }
        return nil
    }

    /// Reads one code.
    ///
    /// If the code is whole, the scanner continues after it, otherwise after the `1`, since a damaged
    /// code may have swallowed the beginning of the next one.
    private mutating func code(_ kind: CodeForm, from data: Int) -> Place {
        if let foreign = foreignness(of: kind, from: data) { return newer(kind, foreign, from: data) }
        let values: [UInt8]
        let end: Int
        do {
            (values, end) = try dataCharacters(of: kind, from: data)
        } catch {
            return .refused(error, isIntact: false)
        }
        guard !isLetterOrDigit(at: end), let bytes = Bech32m.decode(values, hrp: Array(kind.hrp.utf8)) else {
            return .refused(.malformed, isIntact: false)
        }
        position = end
        guard bytes.count >= 2, bytes[1] == kind.number else { return .refused(.malformed, isIntact: true) }
        do {
            switch kind {
            case .exchange: return .code(try ExchangeCode(bytes: bytes))
            case .machine: return .machine(try MachineCode(bytes: bytes))
            }
        } catch {
            return .refused(error, isIntact: true)
        }
    }

    /// The error if the first three bytes name another version or suite; nil otherwise.
    ///
    /// These bytes are checked before any length, since codes of a newer program may have other lengths.
    private func foreignness(of kind: CodeForm, from data: Int) -> HSIPError? {
        var values: [UInt8] = []
        var place = data
        while values.count < 5, let (value, next) = character(at: place) {
            values.append(value)
            place = next
        }
        let head = Bech32m.wholeBytes(of: values)
        guard head.count == 3 else { return nil }
        if head[0] != CodeHeader.version { return .unsupportedVersion }
        return kind.hasHeader && !kind.suites.contains(head[2]) ? .unsupportedSuite : nil
    }

    /// Reads a code of a newer program, which ends at its matching checksum.
    ///
    /// If no checksum matches, the text is a code of this version with a mistake in its first letters, if one fits
    /// exactly. Otherwise the newer code is cut, or has another checksum.
    private mutating func newer(_ kind: CodeForm, _ error: HSIPError, from data: Int) -> Place {
        var sum = Bech32m.Checksum(hrp: Array(kind.hrp.utf8))
        var (place, count) = (data, kind.hrp.utf8.count + 1)
        while count < Bech32m.longest, let (value, next) = character(at: place) {
            sum.add(value)
            (place, count) = (next, count + 1)
            guard sum.holds, !isLetterOrDigit(at: place) else { continue }
            position = place
            return .refused(error, isIntact: true)
        }
        if let (_, end) = try? dataCharacters(of: kind, from: data), !isLetterOrDigit(at: end) {
            return .refused(.malformed, isIntact: false)
        }
        return .refused(error, isIntact: false)
    }

    /// The bech32 character from `start` on, after SKIP characters, and the index after it.
    private func character(at start: Int) -> (value: UInt8, end: Int)? {
        let place = SkipCharacters.end(in: text, from: start)
        guard place < text.count, let value = Bech32m.value(of: text[place]) else { return nil }
        return (value, place + 1)
    }

    /// As many bech32 characters as the kind asks for, as values of five bits, and the index after them.
    private func dataCharacters(
        of kind: CodeForm,
        from data: Int
    ) throws(HSIPError) -> (values: [UInt8], end: Int) {
        let deciding = (kind.decidingCount * 8 + 4) / 5
        var needed = deciding
        var isDecided = false
        var values: [UInt8] = []
        var end = data
        while !isDecided || values.count < needed {
            if !isDecided, values.count == deciding {
                let head = Bech32m.wholeBytes(of: values)
                guard let count = try kind.byteCount(decidedBy: head) else { throw .malformed }
                needed = Bech32m.characterCount(ofBytes: count)
                isDecided = true
                values.reserveCapacity(needed)
            }
            guard let (value, next) = character(at: end) else { throw .truncated }
            values.append(value)
            end = next
        }
        return (values, end)
    }

    /// The kind whose human-readable part and `1` begin at `start`, and the index after them.
    private func kind(from start: Int) -> (CodeForm, Int)? {
        let place = SkipCharacters.end(in: text, from: start)
        for (hrp, kind) in CodeForm.byHRP {
            if let end = match(hrp, from: place), let data = match(Self.separator, from: end) {
                return (kind, data)
            }
        }
        return nil
    }

    /// The index after `pattern` (lower case), with SKIP characters before and between its characters.
    private func match(_ pattern: [UInt8], from start: Int) -> Int? {
        SkipCharacters.match(pattern, in: text, from: start)
    }

    private func isLetterOrDigit(at place: Int) -> Bool {
        SkipCharacters.isLetterOrDigit(in: text, at: place)
    }

    private static let scheme = Array("sip:".utf8)
    private static let slashes = Array("//".utf8)
    private static let separator = Array("1".utf8)
}

/// The forms of codes that the extractor finds: between people, and between a person's own machines.
private enum CodeForm {
    case exchange(CodeKind)
    case machine(MachineCode.Kind)

    static let byHRP: [(hrp: [UInt8], form: CodeForm)] =
        CodeKind.allCases.map { (Array($0.hrp.utf8), .exchange($0)) }
        + MachineCode.Kind.allCases.map { (Array($0.hrp.utf8), .machine($0)) }

    var hrp: String {
        switch self {
        case .exchange(let kind): kind.hrp
        case .machine(let kind): kind.hrp
        }
    }

    /// The second byte.
    var number: UInt8 {
        switch self {
        case .exchange(let kind): kind.rawValue
        case .machine(let kind): kind.rawValue
        }
    }

    var hasHeader: Bool {
        switch self {
        case .exchange(let kind): kind.hasHeader
        case .machine(let kind): kind.hasHeader
        }
    }

    /// The third bytes that a code with a header may have.
    var suites: [UInt8] {
        switch self {
        case .exchange(let kind): kind.suites.map(\.rawValue)
        case .machine: [MachineHeader.suite]
        }
    }

    /// How many bytes must be read before `byteCount(decidedBy:)` answers.
    var decidingCount: Int {
        switch self {
        case .exchange(let kind): kind.decidingCount
        case .machine(let kind): kind.decidingCount
        }
    }

    func byteCount(decidedBy head: [UInt8]) throws(HSIPError) -> Int? {
        switch self {
        case .exchange(let kind): try kind.byteCount(decidedBy: head)
        case .machine(let kind): try kind.byteCount(decidedBy: head)
        }
    }
}
