/// The lines at the end of git's settings that bring in those of the vault: put in, and taken out again byte for byte.
///
/// They stand at the end, since of several values for one setting git takes the one it reads last.
package struct GitInclude: Equatable {
    /// The file that they name, as an absolute path.
    package let file: String

    package init(file: String) { self.file = file }

    /// The lines; nil for a path that git would read as something else.
    package var text: String? {
        guard file.hasPrefix("/"), !file.contains(where: { "\"\\#;".contains($0) || $0.isNewline }) else {
            return nil
        }
        return "[include]\n\tpath = \(file)\n"
    }

    /// Whether the lines are there.
    package func stands(in settings: [UInt8]) -> Bool {
        place(in: settings) != nil
    }

    /// The settings with the lines; nil for a path that cannot be named.
    package func added(to settings: [UInt8]) -> [UInt8]? {
        guard let text else { return nil }
        let gap: [UInt8] = settings.isEmpty || settings.last == 0x0A ? [] : [0x0A]
        return settings + gap + Array(text.utf8)
    }

    /// The settings without the lines; nil where they are not there as they were put.
    ///
    /// A line feed that was missing at the end stays.
    package func removed(from settings: [UInt8]) -> [UInt8]? {
        guard let range = place(in: settings) else { return nil }
        return Array(settings[..<range.lowerBound] + settings[range.upperBound...])
    }

    private func place(in settings: [UInt8]) -> Range<Int>? {
        guard let text = text.map({ Array($0.utf8) }), settings.count >= text.count else { return nil }
        for start in (0...(settings.count - text.count)).reversed()
        where (start == 0 || settings[start - 1] == 0x0A) && settings[start...].starts(with: text) {
            return start..<(start + text.count)
        }
        return nil
    }
}
