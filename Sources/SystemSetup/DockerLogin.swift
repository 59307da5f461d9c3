package import VaultCrypto

/// What docker wants to be kept: an object of three texts, read without its secret ever leaving locked memory.
package struct DockerLogin {
    package let address: String
    package let user: String
    package let secret: Secret

    /// Reads `{"ServerURL":…,"Username":…,"Secret":…}`.
    ///
    /// A member that is missing is empty; others have to be texts too, and are passed over. Nil for anything else.
    package init?(_ json: borrowing SecretBytes) throws {
        var place = 0
        var texts: [String: Secret] = [:]
        guard Self.take(0x7B, json, &place) else { return nil }
        if !Self.take(0x7D, json, &place) {
            repeat {
                guard let name = try Self.text(json, &place), Self.take(0x3A, json, &place),
                    let value = try Self.text(json, &place), let word = Self.word(name),
                    texts.updateValue(value, forKey: word) == nil
                else { return nil }
            } while Self.take(0x2C, json, &place)
            guard Self.take(0x7D, json, &place) else { return nil }
        }
        Self.skip(json, &place)
        guard place == json.count else { return nil }
        guard let address = texts["ServerURL"].map(Self.word) ?? "",
            let user = texts["Username"].map(Self.word) ?? ""
        else { return nil }
        self.address = address
        self.user = user
        secret = try texts["Secret"] ?? Secret(copying: [UInt8]())
    }

    private static func word(_ text: Secret) -> String? {
        text.withBytes { String(validating: $0.copied(), as: UTF8.self) }
    }

    private static func skip(_ json: borrowing SecretBytes, _ place: inout Int) {
        while place < json.count, json.withBytes({ [0x20, 0x09, 0x0A, 0x0D].contains($0.byte(at: place)) }) {
            place += 1
        }
    }

    private static func take(_ byte: UInt8, _ json: borrowing SecretBytes, _ place: inout Int) -> Bool {
        skip(json, &place)
        let at = place
        guard at < json.count, json.withBytes({ $0.byte(at: at) == byte }) else { return false }
        place += 1
        return true
    }

    /// A JSON string (RFC 8259 section 7), its escapes undone.
    private static func text(_ json: borrowing SecretBytes, _ place: inout Int) throws -> Secret? {
        guard take(0x22, json, &place) else { return nil }
        var out = try SecretBytes(count: json.count - place)
        let start = place
        let read: (count: Int, end: Int)? = out.withMutableBytes { out in
            json.withBytes { span in
                var (count, at) = (0, start)
                func hex(_ from: Int) -> UInt32? {
                    guard from + 4 <= span.byteCount else { return nil }
                    var value: UInt32 = 0
                    for offset in 0..<4 {
                        switch span.byte(at: from + offset) {
                        case let byte where (0x30...0x39).contains(byte):
                            value = value << 4 | UInt32(byte - 0x30)
                        case let byte where (0x41...0x46).contains(byte):
                            value = value << 4 | UInt32(byte - 0x37)
                        case let byte where (0x61...0x66).contains(byte):
                            value = value << 4 | UInt32(byte - 0x57)
                        default: return nil
                        }
                    }
                    return value
                }
                while at < span.byteCount {
                    let byte = span.byte(at: at)
                    at += 1
                    if byte == 0x22 { return (count, at) }
                    guard byte >= 0x20 else { return nil }
                    guard byte == 0x5C else {
                        out.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
                        count += 1
                        continue
                    }
                    guard at < span.byteCount else { return nil }
                    let escape = span.byte(at: at)
                    at += 1
                    if let plain = escapes[escape] {
                        out.storeBytes(of: plain, toByteOffset: count, as: UInt8.self)
                        count += 1
                        continue
                    }
                    guard escape == 0x75, var code = hex(at) else { return nil }
                    at += 4
                    if (0xD800..<0xDC00).contains(code) {
                        guard at + 6 <= span.byteCount, span.byte(at: at) == 0x5C,
                            span.byte(at: at + 1) == 0x75,
                            let low = hex(at + 2), (0xDC00..<0xE000).contains(low)
                        else { return nil }
                        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                        at += 6
                    }
                    // An escape takes six bytes, its character three; two of them twelve, and four.
                    guard let scalar = Unicode.Scalar(code) else { return nil }
                    for byte in UTF8.encode(scalar) ?? .init() {
                        out.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
                        count += 1
                    }
                }
                return nil
            }
        }
        guard let read else { return nil }
        place = read.end
        return Secret(try out.slice(0..<read.count))
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
}
