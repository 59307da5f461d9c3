/// How large the installed programs are.
enum SizeRows {
    /// Each file, and how many million bytes it may have at most.
    private static let programs = [("hsip", 22), ("hsip-agent", 20), ("libLibHSIP.so", 20)]

    static func measure(hsip: String, age: String) throws -> [Row] {
        let folder = hsip.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let peer = try Scratch.size(age)
        var rows: [Row] = []
        for (name, most) in programs {
            // The library is built only where its rows are wanted.
            guard let size = try? Scratch.size("\(folder)/\(name)") else { continue }
            rows.append(
                Row(
                    what: "size of \(name)",
                    ours: Format.mebibytes(size / 1_024),
                    peer: "\(Format.mebibytes(peer / 1_024)) age",
                    ratio: Double(size) / Double(peer),
                    target: .bound("≤ \(most) MB", isMet: size <= most * 1_000_000)
                )
            )
        }
        return rows
    }
}
