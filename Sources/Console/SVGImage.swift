/// A QR code as an SVG picture: one path, one unit a module.
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

    /// Every run of dark modules in a row is one rectangle.
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
