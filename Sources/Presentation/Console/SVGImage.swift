internal import CPictureLoader
internal import System

/// A QR code as an SVG picture: one path, with one unit for a module.
package enum SVGImage {
    /// The picture as an XML document.
    package static func text(_ code: QRCode) -> String {
        let quiet = PNGImage.quietZone
        let side = code.size + 2 * quiet
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(side * 8)" height="\(side * 8)" \
            viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path fill="#000" d="\(path(code, shiftedBy: quiet))"/>
            </svg>

            """
    }

    /// Returns a path with one rectangle for each run of dark modules in a row.
    private static func path(_ code: QRCode, shiftedBy quiet: Int) -> String {
        var path = ""
        for row in 0..<code.size {
            var column = 0
            while column < code.size {
                guard code[column, row] else {
                    column += 1
                    continue
                }
                let start = column
                while code[column, row] { column += 1 }
                path += "M\(start + quiet) \(row + quiet)h\(column - start)v1h-\(column - start)z"
            }
        }
        return path
    }
}

/// A QR code as a PNG picture.
package enum PNGImage {
    /// The quiet zone of the standard, in modules.
    package static let quietZone = 4
    /// The size of a module in pixels.
    package static let scale = 8

    /// Returns the bytes of a grey picture, black on white.
    ///
    /// - Throws: `missingLibrary`, `outOfMemory`.
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

    private static func encode(grey points: [UInt8], side: Int) throws(ConsoleError) -> [UInt8] {
        // A black and white picture grows at most by the headers and a filter byte in each row.
        var out = [UInt8](repeating: 0, count: points.count + side + 1024)
        var count = out.count
        switch unsafe hsip_png_write(points, UInt32(side), &out, &count) {
        case HSIP_PICTURE_DONE: return Array(out.prefix(count))
        case HSIP_PICTURE_NO_LIBRARY: throw .missingLibrary(.png)
        default: throw .outOfMemory
        }
    }
}
