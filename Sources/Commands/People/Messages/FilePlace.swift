internal import Presentation
internal import System

/// Where a file goes: under a name, all at once when it is finished, or to stdout as it comes.
enum FilePlace {
    case file(String)
    case output

    /// The place that `-o` names; without it the default.
    ///
    /// - Parameters:
    ///   - target: What `-o` says; `-` is stdout.
    ///   - standard: The file to write without `-o`; nil is stdout.
    ///   - context: Knows whether stdout is a terminal, or carries the JSON.
    /// - Throws: `inputNeeded` where stdout would be a terminal that was not named, or carries the JSON; what
    ///   `NewFile.check` throws.
    init(_ target: NewFileOptions, or standard: String?, _ context: Context) throws(Failure) {
        if let path = target.output ?? standard, path != "-" {
            try NewFile.check(path, replaces: target.force)
            self = .file(path)
            return
        }
        guard !context.isJSON, target.output == "-" || !context.console.outputIsTerminal else {
            throw Failure(
                .inputNeeded,
                context.isJSON
                    ? "the JSON goes to stdout, so the file needs another place"
                    : "the file is not text for a terminal",
                hint: "-o FILE"
            )
        }
        self = .output
    }

    /// The path; nil for stdout.
    var path: String? {
        if case .file(let path) = self { path } else { nil }
    }

    /// Begins to write there; nil for stdout.
    func begin(force: Bool) throws(ProgramError) -> UnfinishedFile? {
        guard case .file(let path) = self else { return nil }
        return try UnfinishedFile(at: path, force: force)
    }
}
