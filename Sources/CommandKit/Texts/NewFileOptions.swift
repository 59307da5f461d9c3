internal import ArgumentParser
package import Console
internal import Programs
package import VaultCrypto

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
