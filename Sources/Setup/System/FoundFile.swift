internal import Files
package import Glibc
package import Presentation
internal import System
internal import VaultLifecycle

/// A file of the user's settings as it was found: where links lead, whose it is, and what is in it.
package struct FoundFile {
    private static let longest = 1 << 20

    /// The path that the caller gave.
    package let path: String
    /// The path of the file after every link is followed.
    package let target: String
    /// The content of the file; nil if the file does not exist.
    package let bytes: [UInt8]?
    /// The permissions of the file; 0600 if the file does not exist.
    package let mode: mode_t

    /// Whether the path is a link, such as managers of dot files make.
    package var isLink: Bool { FileFacts(at: path)?.isLink ?? false }

    /// Looks at a file.
    ///
    /// - Throws: `unsafeFile` for anything that is not an ordinary file of ours, which only we may write, under one
    ///   name; for a link that leads nowhere; and for a folder that is not one. `malformedInput` for a file that is too long.
    package init(_ path: String) throws(Failure) {
        self.path = path
        let folder = Path.folder(of: path)
        target = try Self.target(of: path, in: folder)
        guard let facts = FileFacts(at: target) else {
            (bytes, mode) = (nil, 0o600)
            return
        }
        guard facts.isFile else {
            throw Self.refusal(target, "notRegular", "is not an ordinary file")
        }
        guard facts.isOwn else {
            throw Self.refusal(target, "owner", "belongs to another user")
        }
        guard facts.links == 1 else {
            throw Self.refusal(target, "linkCount", "has another name too (a hard link)")
        }
        guard facts.mode & 0o022 == 0 else {
            throw Self.refusal(
                target,
                "mode",
                "can be written by others",
                hint: "chmod go-w \(ShellWord.quoted(target))"
            )
        }
        mode = facts.mode
        do {
            bytes = try OwnFile.readKept(target, limit: Self.longest)
        } catch {
            throw Failure(error)
        }
    }

    /// Whether the folder of the file exists.
    var hasFolder: Bool { Path.isFolder(Path.folder(of: path)) }

    /// The path without links; its last component may be a file that does not exist yet.
    private static func target(of path: String, in folder: String) throws(Failure) -> String {
        if let real = Path.resolved(path) { return real }
        guard !Path.exists(path) else { throw refusal(path, "symbolicLink", "is a broken link") }
        guard Path.exists(folder) else { return path }
        guard Path.isFolder(folder), let real = Path.resolved(folder) else {
            throw refusal(folder, "notDirectory", "is not a folder")
        }
        return real + path.dropFirst(folder.count)
    }

    private static func refusal(
        _ path: String,
        _ reason: String,
        _ fault: String,
        hint: String? = nil
    ) -> Failure {
        Failure(
            .unsafeFile,
            "\(path) \(fault); hsip did not change it",
            hint: hint ?? "hsip ssh config  prints the settings to add yourself",
            details: ["path": .text(path), "reason": .text(reason)]
        )
    }
}

/// Files that a `setup` command puts in place whole: each begins with a line that says who made it.
package struct WholeFiles {
    /// The first line of each file, by which hsip recognises it.
    let heading: String
    /// The path and the text of each file, in the order of writing.
    let files: [(path: String, text: String)]

    package init(heading: String, files: [(path: String, text: String)]) {
        (self.heading, self.files) = (heading, files)
    }

    /// The changes that write every missing or outdated file.
    ///
    /// - Throws: what `FoundFile` refuses; `malformedInput` for a file of that name that another program made.
    package func changes() throws(Failure) -> [FileChange] {
        var changes: [FileChange] = []
        for file in files {
            let change = FileChange(
                file: try found(file.path),
                new: Array("\(heading)\n\(file.text)".utf8)
            )
            if !change.isNone { changes.append(change) }
        }
        return changes
    }

    /// The changes that remove every file.
    package func undoing() throws(Failure) -> [FileChange] {
        var changes: [FileChange] = []
        for file in files.reversed() {
            let found = try found(file.path)
            if found.bytes != nil { changes.append(FileChange(file: found, new: nil)) }
        }
        return changes
    }

    private func found(_ path: String) throws(Failure) -> FoundFile {
        let file = try FoundFile(path)
        if let bytes = file.bytes, !bytes.starts(with: Array((heading + "\n").utf8)) {
            throw Failure(.malformedInput, "\(path) is not hsip's file", hint: "move the file away")
        }
        return file
    }
}
