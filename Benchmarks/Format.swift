/// Numbers and tables as text.
enum Format {
    /// A factor with two digits behind the point.
    static func ratio(_ value: Double) -> String { decimal(value, digits: 2) }

    /// A time with three significant digits or so.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-3: "\(decimal(seconds * 1e6, digits: seconds < 1e-4 ? 2 : 1)) µs"
        case ..<1: "\(decimal(seconds * 1e3, digits: 2)) ms"
        default: "\(decimal(seconds, digits: 2)) s"
        }
    }

    static func mebibytes(_ kibibytes: Int) -> String {
        "\(decimal(Double(kibibytes) / 1024, digits: 1)) MiB"
    }

    private static func decimal(_ value: Double, digits: Int) -> String {
        let scale = digits == 1 ? 10 : 100
        let scaled = Int((value * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }

    /// Lines with columns as wide as their widest cell.
    static func table(_ rows: [[String]]) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        .joined(separator: "\n")
    }
}
