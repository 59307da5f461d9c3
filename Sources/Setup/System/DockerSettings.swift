internal import Text
package import VaultCrypto

/// The settings of docker, a JSON object, of which one member says who keeps passwords: put in and taken out again, the
/// rest byte for byte as it was.
package struct DockerSettings {
    /// The member, and the value that means this program.
    private static let name = Array("\"credsStore\"".utf8), value = Array("\"hsip\"".utf8)

    private let bytes: [UInt8]
    /// Where the object begins and ends.
    private let braces: (open: Int, close: Int)
    /// The member as it stands: its name, and its value.
    private let member: (start: Int, value: Range<Int>)?

    /// Reads them; nil for what is no JSON object.
    package init?(_ bytes: [UInt8]) {
        var place = 0
        func skip() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        }
        func at(_ byte: UInt8) -> Bool { place < bytes.count && bytes[place] == byte }
        /// Behind the text that begins here.
        func text() -> Bool {
            guard at(0x22) else { return false }
            place += 1
            while place < bytes.count, bytes[place] != 0x22 { place += bytes[place] == 0x5C ? 2 : 1 }
            guard place < bytes.count else { return false }
            place += 1
            return true
        }
        /// Behind the value that begins here.
        func value() -> Bool {
            var depth = 0
            let start = place
            while place < bytes.count {
                switch bytes[place] {
                case 0x22:
                    guard text() else { return false }
                    continue
                case 0x7B, 0x5B: depth += 1
                case 0x7D, 0x5D:
                    guard depth > 0 else { return place > start }
                    depth -= 1
                case 0x2C:
                    guard depth > 0 else { return place > start }
                default: break
                }
                place += 1
            }
            return false
        }
        skip()
        guard at(0x7B) else { return nil }
        let open = place
        place += 1
        var found: (start: Int, value: Range<Int>)?
        skip()
        while !at(0x7D) {
            let start = place
            guard text() else { return nil }
            let isMeant = Array(bytes[start..<place]) == Self.name
            skip()
            guard at(0x3A) else { return nil }
            place += 1
            skip()
            let from = place
            guard value() else { return nil }
            var end = place
            while end > from, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
            if isMeant {
                guard found == nil else { return nil }
                found = (start, from..<end)
            }
            skip()
            guard at(0x2C) || at(0x7D) else { return nil }
            if at(0x2C) {
                place += 1
                skip()
                guard at(0x22) else { return nil }
            }
        }
        let close = place
        place += 1
        skip()
        guard place == bytes.count else { return nil }
        self.bytes = bytes
        braces = (open, close)
        member = found
    }

    /// Who keeps passwords, as it is written; nil for none.
    var keeper: String? { member.map { String(decoding: bytes[$0.value], as: UTF8.self) } }

    /// It is this program.
    package var isSet: Bool { member.map { Array(bytes[$0.value]) == Self.value } ?? false }

    /// With this program as the keeper; nil where another program is.
    package var added: [UInt8]? {
        guard member == nil else { return isSet ? bytes : nil }
        let isEmpty = bytes[(braces.open + 1)..<braces.close].allSatisfy { $0 <= 0x20 }
        let line = Array("\n\t".utf8) + Self.name + Array(": ".utf8) + Self.value
        let rest = Array(bytes[(braces.open + 1)..<braces.close])
        let tail: [UInt8] = isEmpty ? [0x0A] : [0x2C] + rest
        return Array(bytes[...braces.open]) + line + tail + Array(bytes[braces.close...])
    }

    /// Without it; nil where it is not this program, or nothing is left.
    package var removed: [UInt8]? {
        guard isSet, let member else { return nil }
        var (start, end) = (member.start, member.value.upperBound)
        while bytes[start - 1] <= 0x20 { start -= 1 }
        while bytes[end] <= 0x20 { end += 1 }
        if bytes[end] == 0x2C {
            end += 1
        } else if bytes[start - 1] == 0x2C {
            start -= 1
            end = member.value.upperBound
        }
        return Array(bytes[..<start] + bytes[end...])
    }
}

/// What docker wants to be kept: an object of three texts, read without its secret ever leaving locked memory.
package struct DockerLogin {
    package let address: String
    package let user: String
    package let secret: Secret

    /// Reads `{"ServerURL":…,"Username":…,"Secret":…}`, whose memory becomes the secret's.
    ///
    /// A member that is missing is empty; others have to be texts too, and are passed over. Nil for anything else.
    package init?(_ json: consuming SecretBytes) throws {
        let place: JSONPlace? = json.withMutableBytes { bytes in
            // docker writes no byte order mark.
            guard bytes.byteCount > 0, bytes.bytes.byte(at: 0) != 0xEF else { return nil }
            return try? JSONPlace(reading: &bytes, JSONLimits(depth: 1))
        }
        guard case .object(let members)? = place else { return nil }
        let memory = Secret(json)
        var texts: [String: Secret] = [:]
        for member in members {
            guard case .text(let range) = member.value, let name = Self.word(try memory.part(member.name)),
                texts.updateValue(try memory.part(range), forKey: name) == nil
            else { return nil }
        }
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
}
