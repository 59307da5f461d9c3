/// The line in ~/.ssh/config that brings in the settings of the vault: put in as the first one, and taken out again
/// byte for byte.
///
/// It has to be the first, since of several values for one setting ssh takes the one it reads first.
struct IncludeLine: Equatable {
    /// The file that it names, as an absolute path.
    let file: String
    /// The home folder that ssh puts in the place of `~`.
    let home: String

    /// The line as it is written, without its line feed.
    ///
    /// Nil for a path that ssh would read as something else: patterns, quotes, and what newer versions expand.
    var text: String? {
        let refused = Array("\"'\\$%#*?[]~`".utf8)
        guard file.hasPrefix("/"), file.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && !refused.contains($0) })
        else { return nil }
        let path = file.hasPrefix(home + "/") ? "~" + file.dropFirst(home.count) : file
        return path.contains(" ") ? "Include \"\(path)\"" : "Include \(path)"
    }

    /// Whether a configuration begins with it: nothing but comments may come before, however it is written.
    func leads(_ config: [UInt8]) -> Bool {
        for line in config.split(separator: 0x0A) {
            guard let words = Self.words(of: line), let keyword = words.first else { continue }
            return keyword.lowercased() == "include" && words.dropFirst().contains { absolute($0) == file }
        }
        return false
    }

    /// Whether it stands anywhere in a configuration, however it is written.
    func stands(in config: [UInt8]) -> Bool {
        config.split(separator: 0x0A).contains { line in
            guard let words = Self.words(of: line), words.first?.lowercased() == "include" else {
                return false
            }
            return words.dropFirst().contains { absolute($0) == file }
        }
    }

    /// The configuration with the line before everything else.
    func added(to config: [UInt8]) -> [UInt8]? {
        text.map { Array(($0 + "\n").utf8) + config }
    }

    /// The configuration without the line; nil where it does not begin with it as it was written.
    func removed(from config: [UInt8]) -> [UInt8]? {
        guard let text, config.starts(with: Array((text + "\n").utf8)) else { return nil }
        return Array(config.dropFirst(text.utf8.count + 1))
    }

    /// What a configuration is that cannot be a text of ssh; nil for one that can.
    static func oddity(of config: [UInt8]) -> String? {
        if config.contains(0) { return "zero bytes" }
        if config.starts(with: [0xEF, 0xBB, 0xBF]) { return "a byte order mark at the start" }
        // A return alone would be the end of a line for its author, and none for ssh.
        let lines = config.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.contains(where: { $0.dropLast().contains(0x0D) }) {
            return "a carriage return within a line"
        }
        return nil
    }

    private func absolute(_ path: String) -> String {
        if path.hasPrefix("~/") { return home + path.dropFirst() }
        return path.hasPrefix("/") ? path : "\(home)/.ssh/\(path)"
    }

    /// The keyword and its arguments without quotes; nil for a line that says nothing.
    private static func words(of line: ArraySlice<UInt8>) -> [String]? {
        let text = String(decoding: line, as: UTF8.self)
        guard let first = text.first(where: { !$0.isWhitespace }), first != "#" else { return nil }
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character.isWhitespace || character == "=" && words.isEmpty {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }
}
