/// The text form of IPv6 addresses (RFC 4291 section 2.2), with a zone after `%` (RFC 4007 section 11).
enum IPv6Text {
    /// Whether some text is an address.
    static func isAddress(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: 0x25, maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first else { return false }
        if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy(HostName.isPlain) { return false }
        return isPlainAddress(String(decoding: address, as: UTF8.self))
    }

    private static func isPlainAddress(_ text: String) -> Bool {
        guard text.utf8.contains(0x3A) else { return false }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)[...]
        // `::` at an end leaves two empty groups there, of which one only shows where the text ends.
        if text.hasPrefix("::") { groups.removeFirst() } else if groups.first == "" { return false }
        if text.hasSuffix("::"), groups.count > 1 {
            groups.removeLast()
        } else if groups.last == "" {
            return false
        }
        let gaps = groups.count { $0.isEmpty }
        var count = groups.count - gaps
        if let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            count += 1
        }
        let areHexadecimal = groups.allSatisfy { group in
            group.utf8.count <= 4 && group.utf8.allSatisfy(isHexadecimal)
        }
        return areHexadecimal && (gaps == 0 ? count == 8 : gaps == 1 && count <= 7)
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { number in
                let digits = number.utf8
                return (1...3).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
                    && (Int(number) ?? 256) <= 255
            }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
