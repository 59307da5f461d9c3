extension JSONDocument {
    /// Deeper nesting is not read.
    private static let deepest = 64

    /// Reads a text.
    ///
    /// - Throws: `malformed` for anything that is not exactly one JSON value in UTF-8, for a name that
    ///   stands twice in one object, and for more than 64 levels.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformed }
        var reader = Reader(rest: bytes[...])
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.rest = bytes.dropFirst(3) }
        self = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.rest.isEmpty else { throw .malformed }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skipBlanks() {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        }

        mutating func value(depth: Int) throws(JSONError) -> JSONDocument {
            guard depth <= JSONDocument.deepest else { throw .malformed }
            skipBlanks()
            switch rest.first {
            case 0x7B: return .object(try members(depth))
            case 0x5B: return .list(try items(depth))
            case 0x22: return .text(try text())
            case 0x74: return try word("true", .bool(true))
            case 0x66: return try word("false", .bool(false))
            case 0x6E: return try word("null", .null)
            default: return .number(try number())
            }
        }

        private mutating func members(_ depth: Int) throws(JSONError) -> [Member] {
            var members: [Member] = []
            var names: Set<String> = []
            try take(0x7B)
            guard !isNext(0x7D) else { return [] }
            repeat {
                skipBlanks()
                let name = try text()
                skipBlanks()
                try take(0x3A)
                members.append(Member(name: name, value: try value(depth: depth + 1)))
                guard names.insert(name).inserted else { throw .malformed }
            } while isNext(0x2C)
            guard isNext(0x7D) else { throw .malformed }
            return members
        }

        private mutating func items(_ depth: Int) throws(JSONError) -> [JSONDocument] {
            var items: [JSONDocument] = []
            try take(0x5B)
            guard !isNext(0x5D) else { return [] }
            repeat { items.append(try value(depth: depth + 1)) } while isNext(0x2C)
            guard isNext(0x5D) else { throw .malformed }
            return items
        }

        /// Takes a sign if it comes next, whatever blanks are before it.
        private mutating func isNext(_ sign: UInt8) -> Bool {
            skipBlanks()
            guard rest.first == sign else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func take(_ sign: UInt8) throws(JSONError) {
            guard rest.first == sign else { throw .malformed }
            rest.removeFirst()
        }

        private mutating func word(_ word: String, _ value: JSONDocument) throws(JSONError) -> JSONDocument {
            guard rest.starts(with: word.utf8) else { throw .malformed }
            rest = rest.dropFirst(word.utf8.count)
            return value
        }

        /// `-`, digits without a zero before them, a fraction, an exponent.
        private mutating func number() throws(JSONError) -> String {
            let start = rest
            if rest.first == 0x2D { rest.removeFirst() }
            let first = rest.first
            guard try digits() == 1 || first != 0x30 else { throw .malformed }
            if rest.first == 0x2E {
                rest.removeFirst()
                _ = try digits()
            }
            if rest.first == 0x65 || rest.first == 0x45 {
                rest.removeFirst()
                if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
                _ = try digits()
            }
            return String(decoding: start[..<rest.startIndex], as: UTF8.self)
        }

        private mutating func digits() throws(JSONError) -> Int {
            let run = rest.prefix { (0x30...0x39).contains($0) }
            guard !run.isEmpty else { throw .malformed }
            rest = rest[run.endIndex...]
            return run.count
        }

        private mutating func text() throws(JSONError) -> String {
            try take(0x22)
            var scalars: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case 0x22: return String(decoding: scalars, as: UTF8.self)
                case 0x5C: scalars += try escaped()
                case 0x00...0x1F: throw .malformed
                default: scalars.append(byte)
                }
            }
            throw .malformed
        }

        private mutating func escaped() throws(JSONError) -> [UInt8] {
            let simple: [UInt8: UInt8] = [
                0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
                0x74: 0x09,
            ]
            guard let sign = rest.popFirst() else { throw .malformed }
            if let byte = simple[sign] { return [byte] }
            guard sign == 0x75 else { throw .malformed }
            var code = try unit()
            if (0xD800...0xDBFF).contains(code) {
                try take(0x5C)
                try take(0x75)
                let low = try unit()
                guard (0xDC00...0xDFFF).contains(low) else { throw .malformed }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw .malformed }
            return Array(String(scalar).utf8)
        }

        private mutating func unit() throws(JSONError) -> UInt32 {
            let digits = rest.prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Self.isHex($0) }),
                let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw .malformed }
            rest = rest.dropFirst(4)
            return unit
        }

        private static func isHex(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
            default: false
            }
        }
    }
}
