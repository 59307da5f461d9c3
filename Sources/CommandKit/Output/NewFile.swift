internal import ArgumentParser
package import Console
internal import Programs
package import VaultCrypto
internal import VaultLifecycle

/// The file of an `-o`, looked at before anything is done that would be lost without it: a number used, a
/// message marked as read.
package enum NewFile {
    /// The file that an `-o` names; nil for `-`, which is standard output in every command, as if there were no `-o`.
    package static func named(_ path: String?) -> String? { path == "-" ? nil : path }

    /// Refuses a place where the file cannot go.
    ///
    /// - Throws: `alreadyExists` for a file that is not to be replaced; `notFound` without its folder.
    package static func check(_ path: String?, replaces: Bool) throws(Failure) {
        guard let path = named(path) else { return }
        if Path.isFile(path), !replaces { throw Failures.explain(ConsoleError.fileExists) }
        guard Path.exists(Path.folder(of: path)) else {
            var failure = Failures.explain(ConsoleError.noSuchFile)
            failure.message = "there is no folder for the file that is to be written"
            failure.hint = "mkdir -p FOLDER"
            throw failure
        }
    }
}

/// Where what a command makes goes: to standard output, or into a file of its own.
package struct NewFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to a file of mode 0600; - is stdout.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    /// The file; nil for standard output.
    package var path: String? { NewFile.named(output) }

    /// Refuses a place where the file cannot go, before anything is done that would be lost without it.
    ///
    /// - Throws: `alreadyExists` for a file that is not to be replaced; `notFound` without its folder.
    package func check() throws(Failure) {
        try NewFile.check(path, replaces: force)
    }

    /// Writes the file, or to standard output where none was named.
    package func write(_ bytes: borrowing some ByteSource & ~Copyable, _ context: Context) throws {
        guard let path else { return try context.output.data(bytes) }
        try OwnFile.write(bytes, to: path, force: force)
    }
}
