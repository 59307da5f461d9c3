internal import CQREncode
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
    /// other text as bytes.
    ///
    /// - Throws: `tooLongForQR` above version 40.
    package init(_ text: String, correction: Correction) throws(ConsoleError) {
        let bytes = Array(text.utf8)
        let level = correction == .low ? QR_ECLEVEL_L : QR_ECLEVEL_M
        // As a C string the text may mix modes; the byte form alone can carry U+0000.
        let code =
            bytes.contains(0)
            ? unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, level)
            : unsafe QRcode_encodeString(text, 0, level, QR_MODE_8, 1)
        guard let code = unsafe code else { throw .tooLongForQR }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        self.size = size
        // Bit 0 of each module is its colour; the others say what it is for.
        dark = (0..<size * size).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }

    /// True when the module is dark; outside the square all are light.
    package subscript(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return dark[row * size + column]
    }
}
