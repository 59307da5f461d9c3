/// An id as one part of a path on the bus: ASCII letters and digits as they are, every other byte `_` and two hexadecimal
/// digits, as GNOME Keyring writes them.
package enum PathWord {
    /// The part of a path for an id.
    package static func encode(_ id: String) -> String {
        var word = ""
        for byte in id.utf8 {
            if isPlain(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                word += digits.count == 1 ? "_0\(digits)" : "_\(digits)"
            }
        }
        return word
    }

    /// The id of a part of a path; nil for one that `encode` does not write.
    package static func decode(_ word: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            let value = high << 4 | low
            // What needs no digits has one way to be written.
            guard !isPlain(value) else { return nil }
            bytes.append(value)
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
