package import Console
package import Glibc
package import Presentation
internal import Programs
internal import VaultLifecycle

/// A file that gets another content, is made, or goes away.
package struct FileChange {
    /// The file as it was when the change was decided on.
    package let file: FoundFile
    /// What it shall be; nil for gone.
    package let new: [UInt8]?

    package init(file: FoundFile, new: [UInt8]?) {
        (self.file, self.new) = (file, new)
    }

    /// What is done to it, as scripts read it.
    var action: String { file.bytes == nil ? "make" : new == nil ? "remove" : "change" }

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
    package func apply(mode: mode_t? = nil) throws(Failure) {
        let now = try FoundFile(file.path)
        guard now.bytes == file.bytes, now.target == file.target else {
            throw Failure(
                .conflict,
                "\(file.path) was changed meanwhile; nothing was written to it",
                hint: "hsip setup ssh"
            )
        }
        guard let new else {
            guard unsafe unlink(file.target) == 0 || errno == ENOENT else { throw Self.failure(file.target) }
            return
        }
        try makeFolder()
        do {
            try OwnFile.write(new, to: file.target, force: true, mode: mode ?? file.mode)
        } catch {
            var failure = Failures.explain(error)
            failure.message = "\(file.target): \(failure.message)"
            throw failure
        }
    }

    /// The folder, for nobody but us.
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
            hint: "hsip ssh config  shows what to write there yourself"
        )
    }

    package var json: JSONValue {
        [
            "path": .text(file.path), "target": .optional(file.target == file.path ? nil : file.target),
            "action": .text(action), "diff": .text(String(decoding: diff, as: UTF8.self)),
        ]
    }
}
