internal import VaultCrypto

extension JSONReader {
    /// Decodes a string in place, from its opening quote to its closing one; the decoded string is never longer.
    mutating func text(_ bytes: inout MutableRawSpan) throws(JSONError) -> Range<Int> {
        place += 1
        let start = place
        var end = start
        while let byte = next(bytes.bytes) {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<end
            case UInt8(ascii: "\\"):
                for byte in UTF8.encode(try escaped(bytes.bytes)) ?? UTF8.encodedReplacementCharacter {
                    bytes.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                    end += 1
                }
            case 0x00...0x1F: throw refusal
            default:
                bytes.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                end += 1
            }
        }
        throw refusal
    }

    private mutating func escaped(_ bytes: RawSpan) throws(JSONError) -> Unicode.Scalar {
        guard let sign = next(bytes) else { throw refusal }
        place += 1
        switch sign {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw refusal
        }
        // A scalar above four digits is written as a pair of surrogates; a single surrogate is malformed.
        let first = try unit(bytes)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), next(bytes) == UInt8(ascii: "\\") else { throw refusal }
        place += 1
        guard next(bytes) == UInt8(ascii: "u") else { throw refusal }
        place += 1
        let second = try unit(bytes)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw refusal }
        return scalar
    }

    private mutating func unit(_ bytes: RawSpan) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            switch next(bytes) {
            case let digit? where (0x30...0x39).contains(digit): unit = unit << 4 | UInt32(digit - 0x30)
            case let digit? where (0x41...0x46).contains(digit): unit = unit << 4 | UInt32(digit - 0x37)
            case let digit? where (0x61...0x66).contains(digit): unit = unit << 4 | UInt32(digit - 0x57)
            default: throw refusal
            }
            place += 1
        }
        return unit
    }
}
