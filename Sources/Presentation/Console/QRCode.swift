internal import CPictureLoader
internal import System
package import VaultCrypto

/// A QR code: a square of dark and light modules without its quiet zone (ISO/IEC 18004).
package struct QRCode: Equatable, Sendable {
    /// The part of the picture that may be damaged.
    package enum Correction: Sendable {
        /// 7 %: for screens, where every module counts.
        case low
        /// 15 %: for files, which may be printed.
        case medium
    }

    /// The number of modules in a row: 17 + 4 · version.
    package let size: Int
    private var dark: [UInt8]

    /// 1 to 40.
    package var version: Int { (size - 17) / 4 }

    /// Encodes a text in the smallest version that has room for it.
    ///
    /// Upper-case codes become alphanumeric mode (5.5 bits a character), for which their text form is designed. Other
    /// text becomes bytes; text beyond ASCII is marked as UTF-8, so that no reader has to guess.
    ///
    /// - Throws: `tooLongForQR` above version 40; `missingLibrary`.
    package init(_ text: String, correction: Correction) throws(ConsoleError) {
        try self.init(Array(text.utf8), correction)
    }

    /// Encodes a secret text of ASCII letters and digits; `wipe` erases it.
    ///
    /// Copies inside the library are freed without being wiped.
    ///
    /// - Throws: `tooLongForQR`; `missingLibrary`.
    package init(secret: borrowing some ByteSource & ~Copyable, correction: Correction) throws(ConsoleError) {
        var bytes = secret.withBytes { $0.copied() }
        defer { bytes.wipe() }
        try self.init(bytes, correction)
    }

    private init(_ bytes: [UInt8], _ correction: Correction) throws(ConsoleError) {
        var code = unsafe hsip_qr_code()
        defer { unsafe hsip_qr_free(&code) }
        switch unsafe Self.encode(bytes, correction, &code) {
        case HSIP_PICTURE_DONE: break
        case HSIP_PICTURE_NO_LIBRARY: throw .missingLibrary(.qrencode)
        default: throw .tooLongForQR
        }
        let size = Int(unsafe code.width)
        self.size = size
        guard let modules = unsafe code.modules else { throw .tooLongForQR }
        // Bit 0 of each module is its colour; the other bits are its purpose.
        dark = (0..<size * size).map { unsafe modules[$0] & 1 }
    }

    /// Overwrites the modules; all are light then.
    package mutating func wipe() { dark.wipe() }

    private static func encode(
        _ bytes: [UInt8],
        _ correction: Correction,
        _ code: inout hsip_qr_code
    ) -> hsip_picture {
        var ended = bytes + [0]
        defer { ended.wipe() }
        return unsafe ended.withUnsafeBytes { buffer in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                return HSIP_PICTURE_FAILED
            }
            var text = unsafe hsip_qr_text(
                text: start,
                length: Int32(bytes.count),
                is_medium: correction == .medium ? 1 : 0,
                // A C string may mix modes.
                is_ascii: bytes.allSatisfy { (1..<0x80).contains($0) } ? 1 : 0,
                is_utf8: bytes.contains { $0 >= 0x80 } ? 1 : 0
            )
            return unsafe hsip_qr_encode(&text, &code)
        }
    }

    /// Whether the module is dark; outside the square all modules are light.
    package subscript(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return dark[row * size + column] == 1
    }
}
