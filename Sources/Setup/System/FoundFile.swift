internal import Files
package import Glibc
package import Presentation
internal import System
internal import VaultLifecycle

/// A file of the user's settings as it was found: where links lead, whose it is, and what is in it.
package struct FoundFile {
    private static let longest = 1 << 20

    /// As it is named.
    package let path: String
    /// Where it lies once every link is followed.
    package let target: String
    /// What is in it; nil where there is no file.
    package let bytes: [UInt8]?
    /// Its permissions; those of a new one, where there is none.
    package let mode: mode_t

    /// Whether the name is a link, as the managers of dot files make them.
    package var isLink: Bool { FileFacts(at: path)?.isLink ?? false }

    /// Looks at a file.
    ///
    /// - Throws: `unsafeFile` for anything that is not an ordinary file of ours, which only we may write, under one
    ///   name; for a link that leads nowhere; and for a folder that is none. `malformedInput` for one too long.
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

    /// Whether the folder is there.
    var hasFolder: Bool { Path.isFolder(Path.folder(of: path)) }

    /// A path that names no link any more; it may end in a file that is still to be made.
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
    /// The first line of each, by which it is known again.
    let heading: String
    /// Path and text, in the order in which they are written.
    let files: [(path: String, text: String)]

    package init(heading: String, files: [(path: String, text: String)]) {
        (self.heading, self.files) = (heading, files)
    }

    /// What has to change so that they are there.
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

    /// What has to change so that none of them is there.
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
