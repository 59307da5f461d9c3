internal import Glibc
package import Presentation
internal import System
internal import VaultLifecycle

/// A file that gets another content, is made, or goes away.
package struct FileChange: SetupChange {
    /// The file as it was when the change was decided on.
    package let file: FoundFile
    /// What it becomes; nil for gone.
    package let new: [UInt8]?

    package init(file: FoundFile, new: [UInt8]?) {
        (self.file, self.new) = (file, new)
    }

    /// What is done to it, as scripts read it.
    var action: String { file.bytes == nil ? "make" : new == nil ? "remove" : "change" }

    package var place: String { file.target }

    /// What changes, as `diff -u` shows it.
    package var diff: [UInt8] { TextDiff.between(file.bytes, and: new, path: file.target) }

    /// Whether anything changes at all.
    package var isNone: Bool { file.bytes == new }

    /// The change that takes this one back.
    package func undo() throws(Failure) {
        try FileChange(file: try FoundFile(file.path), new: file.bytes).apply(mode: file.mode)
    }

    /// Does it: whole and on the disk, or not at all; a link stays a link, and permissions stay as they are.
    ///
    /// - Throws: `conflict` when the file is not as it was any more.
    package func apply() throws(Failure) { try apply(mode: nil) }

    private func apply(mode: mode_t?) throws(Failure) {
        let now = try FoundFile(file.path)
        guard now.bytes == file.bytes, now.target == file.target else {
            throw Failure(
                .conflict,
                "\(file.path) changed meanwhile; hsip wrote nothing to it",
                hint: "hsip setup ssh"
            )
        }
        guard let new else {
            guard unsafe unlink(file.target) == 0 || errno == ENOENT else { throw Self.failure(file.target) }
            return
        }
        try makeFolder()
        do {
            try OwnFile.writeKept(new, to: file.target, mode: mode ?? file.mode)
        } catch {
            var failure = Failure(error)
            failure.message = "\(file.target): \(failure.message)"
            throw failure
        }
    }

    /// Removes what a program that was killed had begun to write in the place of a file.
    static func removeLeftovers(beside path: String) {
        let folder = Path.folder(of: path)
        let start = path.dropFirst(folder.count + 1) + ".hsip-"
        for name in Path.names(in: folder) where name.hasPrefix(start) && name.count == start.count + 6 {
            Path.remove("\(folder)/\(name)")
        }
    }

    /// The folder, for us alone.
    private func makeFolder() throws(Failure) {
        let folder = Path.folder(of: file.target)
        guard !Path.isFolder(folder) else { return }
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            guard unsafe mkdir(made, 0o700) == 0 || errno == EEXIST else { throw Self.failure(made) }
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(
            .unavailable,
            "\(path) cannot be written (errno \(errno))",
            hint: "hsip ssh config  prints the settings to add yourself"
        )
    }

    package var json: JSONValue {
        [
            "path": .text(file.path), "target": .optional(file.target == file.path ? nil : file.target),
            "action": .text(action), "diff": .text(String(decoding: diff, as: UTF8.self)),
        ]
    }
}

/// What changes in a file, as `diff -u` shows it and `patch` takes it: one stretch of lines, with three around it.
enum TextDiff {
    private static let context = 3

    /// The difference of two texts, empty where nothing differs; nil is a file that is not there.
    static func between(_ old: [UInt8]?, and new: [UInt8]?, path: String) -> [UInt8] {
        guard old != new else { return [] }
        let (before, after) = (lines(of: old ?? []), lines(of: new ?? []))
        let head = zip(before, after).prefix { $0 == $1 }.count
        let rest = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let start = max(0, head - context)
        let more = min(context, tail)
        let (gone, come) = (before.count - head - tail, after.count - head - tail)
        let around = head - start + more
        var text =
            header("---", old == nil ? "/dev/null" : path) + header("+++", new == nil ? "/dev/null" : path)
        // A file that comes or goes empty has no lines to show.
        guard around + gone + come > 0 else { return text }
        text += Array("@@ -\(range(start, around + gone)) +\(range(start, around + come)) @@\n".utf8)
        for line in before[start..<head] { text += marked(" ", line) }
        for line in before[head..<head + gone] { text += marked("-", line) }
        for line in after[head..<head + come] { text += marked("+", line) }
        for line in before[(head + gone)...].prefix(more) { text += marked(" ", line) }
        return text
    }

    private static func header(_ mark: String, _ path: String) -> [UInt8] {
        Array("\(mark) \(path)\n".utf8)
    }

    /// Where a stretch begins, counted from 1, and its length; one without lines begins with the line before it.
    private static func range(_ start: Int, _ count: Int) -> String {
        count == 0 ? "\(start),0" : count == 1 ? "\(start + 1)" : "\(start + 1),\(count)"
    }

    private static func marked(_ mark: String, _ line: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(mark.utf8) + line
        return line.last == 0x0A ? text : text + Array("\n\\ No newline at end of file\n".utf8)
    }

    /// The lines with their line feeds.
    private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = text[...]
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }
}
