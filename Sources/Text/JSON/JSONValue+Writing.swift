internal import VaultCrypto

/// The destination of written JSON: locked memory if a value may be secret.
package protocol JSONOutput: ~Copyable {
    associatedtype Failure: Error

    mutating func append(_ byte: UInt8) throws(Failure)
}

extension JSONValue {
    /// The layout of a written value.
    package enum Layout {
        /// On one line, without a line feed.
        case line
        /// Indented by two blanks a level, with a line feed at the end.
        case pages
    }

    /// The UTF-8 bytes of a value without secrets.
    ///
    /// - Throws: `secret`.
    package func bytes(_ layout: Layout = .line) throws(JSONError) -> [UInt8] {
        guard !holdsSecret else { throw .secret }
        var out = OpenBytes()
        write(to: &out, layout)
        return out.bytes
    }

    /// Writes the UTF-8 bytes of a value.
    package func write<Output: JSONOutput & ~Copyable>(
        to out: inout Output,
        _ layout: Layout = .line
    ) throws(Output.Failure) {
        try write(to: &out, depth: layout == .pages ? 0 : nil)
        if layout == .pages { try out.append(0x0A) }
    }

    private var holdsSecret: Bool {
        switch self {
        case .null, .bool, .number, .text, .base64: false
        case .secret, .secretBase64: true
        case .list(let items): items.contains { $0.holdsSecret }
        case .object(let members): members.contains { $0.value.holdsSecret }
        }
    }

    private func write<Output: JSONOutput & ~Copyable>(
        to out: inout Output,
        depth: Int?
    ) throws(Output.Failure) {
        switch self {
        case .null: try out.append(plain: "null")
        case .bool(let truth): try out.append(plain: truth ? "true" : "false")
        case .number(let digits): try out.append(plain: digits)
        case .text(let text): try out.append(string: Array(text.utf8))
        case .secret(let secret): try out.append(string: secret)
        case .secretBase64(let secret): try out.append(base64: secret)
        case .base64(let bytes): try out.append(base64: bytes)
        case .list(let items):
            let inner = items.isEmpty ? nil : depth.map { $0 + 1 }
            try out.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { try out.append(UInt8(ascii: ",")) }
                try out.append(lineOf: inner)
                try item.write(to: &out, depth: inner)
            }
            try out.append(lineOf: inner.map { $0 - 1 })
            try out.append(UInt8(ascii: "]"))
        case .object(let members):
            let inner = members.isEmpty ? nil : depth.map { $0 + 1 }
            try out.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { try out.append(UInt8(ascii: ",")) }
                try out.append(lineOf: inner)
                try out.append(string: Array(member.name.utf8))
                try out.append(plain: inner == nil ? ":" : ": ")
                try member.value.write(to: &out, depth: inner)
            }
            try out.append(lineOf: inner.map { $0 - 1 })
            try out.append(UInt8(ascii: "}"))
        }
    }
}

/// A destination in memory that is not locked.
private struct OpenBytes: JSONOutput {
    var bytes: [UInt8] = []

    mutating func append(_ byte: UInt8) { bytes.append(byte) }
}

extension JSONOutput where Self: ~Copyable {
    fileprivate mutating func append(plain text: String) throws(Failure) {
        for byte in text.utf8 { try append(byte) }
    }

    /// Starts a new line, indented for a depth; does nothing if `depth` is nil.
    fileprivate mutating func append(lineOf depth: Int?) throws(Failure) {
        guard let depth else { return }
        try append(0x0A)
        for _ in 0..<2 * depth { try append(0x20) }
    }

    /// Writes a string, and escapes quotes, backslashes and all that could confuse a terminal or an old parser.
    ///
    /// These are controls, DEL, C1, direction controls, invisible characters, U+2028 and U+2029. A byte that is not UTF-8
    /// becomes U+FFFD.
    fileprivate mutating func append(string bytes: borrowing some ByteSource & ~Copyable) throws(Failure) {
        try append(0x22)
        try bytes.withBytes { span throws(Failure) in
            var offset = 0
            while offset < span.byteCount {
                let (scalar, length) = UTF8Reader.scalar(in: span, at: offset)
                offset += length
                try append(character: scalar ?? "\u{FFFD}")
            }
        }
        try append(0x22)
    }

    private mutating func append(character scalar: Unicode.Scalar) throws(Failure) {
        switch scalar.value {
        case 0x22: try append(plain: "\\\"")
        case 0x5C: try append(plain: "\\\\")
        case 0x0A: try append(plain: "\\n")
        case 0x0D: try append(plain: "\\r")
        case 0x09: try append(plain: "\\t")
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
            try append(plain: "\\u")
            for shift in [12, 8, 4, 0] as [UInt32] {
                let digit = UInt8(scalar.value >> shift & 15)
                try append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
            }
        default:
            for byte in UTF8.encode(scalar) ?? .init() { try append(byte) }
        }
    }

    fileprivate mutating func append(base64 bytes: borrowing some ByteSource & ~Copyable) throws(Failure) {
        try append(0x22)
        try bytes.withBytes { span throws(Failure) in
            for start in stride(from: 0, to: span.byteCount, by: 3) {
                let count = min(3, span.byteCount - start)
                var group: UInt32 = 0
                for index in 0..<3 {
                    group = group << 8 | (index < count ? UInt32(span.byte(at: start + index)) : 0)
                }
                for index in 0..<4 {
                    let digit = UInt8(group >> UInt32(18 - 6 * index) & 63)
                    try append(index <= count ? Self.base64Digit(digit) : 0x3D)
                }
            }
        }
        try append(0x22)
    }

    /// Computes a base64 digit without a table, so that no memory access depends on the secret.
    private static func base64Digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: 0x41 + value
        case 26..<52: 0x61 + value - 26
        case 52..<62: 0x30 + value - 52
        case 62: 0x2B
        default: 0x2F
        }
    }
}
