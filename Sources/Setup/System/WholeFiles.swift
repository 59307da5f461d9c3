package import Presentation

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
