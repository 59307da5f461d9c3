internal import CPNG
internal import Programs

/// A QR code as a PNG picture.
package enum PNGImage {
    /// The quiet zone of the standard, in modules.
    package static let quietZone = 4
    /// Picture points a module.
    package static let scale = 8

    /// The bytes of a grey picture, black on white.
    package static func bytes(_ code: QRCode) throws(ConsoleError) -> [UInt8] {
        let side = (code.size + 2 * quietZone) * scale
        var points: [UInt8] = []
        points.reserveCapacity(side * side)
        for y in 0..<side {
            for x in 0..<side {
                points.append(code[x / scale - quietZone, y / scale - quietZone] ? 0 : 255)
            }
        }
        return try encode(grey: points, side: side)
    }

    /// libpng's simplified interface, which returns errors where the full one would longjmp.
    private static func encode(grey points: [UInt8], side: Int) throws(ConsoleError) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.width = png_uint_32(side)
        unsafe image.height = png_uint_32(side)
        // 8-bit grey without alpha.
        unsafe image.format = 0
        defer { unsafe png_image_free(&image) }
        // A black and white picture never grows by more than the headers and a filter byte a row.
        var out = [UInt8](repeating: 0, count: points.count + side + 1024)
        var count = out.count
        guard unsafe png_image_write_to_memory(&image, &out, &count, 0, points, 0, nil) != 0 else {
            throw .outOfMemory
        }
        return Array(out.prefix(count))
    }
}
