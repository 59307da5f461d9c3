package import Programs
internal import SafeText
package import VaultCrypto

/// Writes JSON on one line (RFC 8259), into locked memory so that a value may be secret.
package enum JSONWriter {
    /// The largest text written, 256 MiB: what there is to say of the hundred thousand secrets that one import may
    /// bring.
    private static let limit = 256 << 20

    /// The UTF-8 bytes of a value, without a line feed.
    package static func bytes(_ value: JSONValue) throws(ProgramError) -> SecretBytes {
        var out = try SecretBuffer(limit: limit)
        try write(value, &out)
        return try out.finish()
    }

    private static func write(_ value: JSONValue, _ out: inout SecretBuffer) throws(ProgramError) {
        switch value {
        case .null: try plain("null", &out)
        case .bool(let truth): try plain(truth ? "true" : "false", &out)
        case .integer(let number): try plain(String(number), &out)
        case .text(let text): try string(Array(text.utf8), &out)
        case .secret(let secret): try string(secret, &out)
        case .secretBase64(let secret): try base64(secret, &out)
        case .base64(let bytes): try base64(bytes, &out)
        case .list(let values):
            try plain("[", &out)
            for (index, value) in values.enumerated() {
                if index > 0 { try plain(",", &out) }
                try write(value, &out)
            }
            try plain("]", &out)
        case .object(let members):
            try plain("{", &out)
            for (index, member) in members.enumerated() {
                if index > 0 { try plain(",", &out) }
                try string(Array(member.name.utf8), &out)
                try plain(":", &out)
                try write(member.value, &out)
            }
            try plain("}", &out)
        }
    }

    private static func plain(_ text: String, _ out: inout SecretBuffer) throws(ProgramError) {
        for byte in text.utf8 { try out.append(byte) }
    }

    /// Escapes quotes, backslashes and everything that a terminal or an old parser could stumble over:
    /// controls, DEL, C1, direction controls, U+2028 and U+2029.
    ///
    /// A byte that is no UTF-8 becomes U+FFFD.
    private static func string(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ out: inout SecretBuffer
    ) throws(ProgramError) {
        try out.append(0x22)
        try bytes.withBytes { span throws(ProgramError) in
            var offset = 0
            while offset < span.byteCount {
                let (scalar, length) = UTF8Reader.scalar(in: span, at: offset)
                offset += length
                try character(scalar ?? "\u{FFFD}", &out)
            }
        }
        try out.append(0x22)
    }

    private static func character(_ scalar: Unicode.Scalar, _ out: inout SecretBuffer) throws(ProgramError) {
        switch scalar.value {
        case 0x22: try plain("\\\"", &out)
        case 0x5C: try plain("\\\\", &out)
        case 0x0A: try plain("\\n", &out)
        case 0x0D: try plain("\\r", &out)
        case 0x09: try plain("\\t", &out)
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
            try plain("\\u", &out)
            for shift in [12, 8, 4, 0] as [UInt32] {
                try out.append(hexDigit(UInt8(scalar.value >> shift & 15)))
            }
        default:
            for byte in UTF8.encode(scalar) ?? .init() { try out.append(byte) }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }

    private static func base64(
        _ bytes: borrowing some ByteSource & ~Copyable,
        _ out: inout SecretBuffer
    ) throws(ProgramError) {
        try out.append(0x22)
        try bytes.withBytes { span throws(ProgramError) in
            for start in stride(from: 0, to: span.byteCount, by: 3) {
                let count = min(3, span.byteCount - start)
                var group: UInt32 = 0
                for index in 0..<3 {
                    group = group << 8 | (index < count ? UInt32(span.byte(at: start + index)) : 0)
                }
                for index in 0..<4 {
                    let digit = UInt8(group >> UInt32(18 - 6 * index) & 63)
                    try out.append(index <= count ? base64Digit(digit) : 0x3D)
                }
            }
        }
        try out.append(0x22)
    }

    /// By arithmetic, not by a table: no memory access depends on the secret.
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
