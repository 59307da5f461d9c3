internal import CQREncode
internal import Programs
internal import VaultCrypto

/// A QR code: a square of dark and light modules, without its quiet zone (ISO/IEC 18004).
package struct QRCode: Equatable, Sendable {
    /// How much of the picture may be damaged.
    package enum Correction: Sendable {
        /// 7 %: for screens, where every module counts.
        case low
        /// 15 %: for files, which may be printed.
        case medium
    }

    /// Modules a side: 17 + 4 · version.
    package let size: Int
    private let dark: [Bool]

    /// 1 to 40.
    package var version: Int { (size - 17) / 4 }

    /// Encodes a text in the smallest version that holds it.
    ///
    /// Upper-case codes come out in alphanumeric mode (5.5 bits a character), as their text form intends;
    /// other text as bytes, and text beyond ASCII says that it is UTF-8, so that no reader has to guess.
    ///
    /// - Throws: `tooLongForQR` above version 40.
    package init(_ text: String, correction: Correction) throws(ConsoleError) {
        let level = correction == .low ? QR_ECLEVEL_L : QR_ECLEVEL_M
        let code = unsafe Self.encode(text, level)
        guard let code = unsafe code else { throw .tooLongForQR }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        self.size = size
        // Bit 0 of each module is its colour; the others say what it is for.
        dark = (0..<size * size).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }

    private static func encode(_ text: String, _ level: QRecLevel) -> UnsafeMutablePointer<CQREncode.QRcode>?
    {
        let bytes = Array(text.utf8)
        if bytes.allSatisfy({ (1..<0x80).contains($0) }) {
            // As a C string the text may mix modes.
            return unsafe QRcode_encodeString(text, 0, level, QR_MODE_8, 1)
        }
        guard let input = unsafe QRinput_new2(0, level) else { return nil }
        defer { unsafe QRinput_free(input) }
        if bytes.contains(where: { $0 >= 0x80 }) {
            guard unsafe QRinput_appendECIheader(input, Self.utf8Designator) == 0 else { return nil }
        }
        guard unsafe QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0 else { return nil }
        return unsafe QRcode_encodeInput(input)
    }

    /// The number of UTF-8 among the extended channel interpretations (AIM ECI 000026).
    private static let utf8Designator: UInt32 = 26

    /// True when the module is dark; outside the square all are light.
    package subscript(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return dark[row * size + column]
    }
}
