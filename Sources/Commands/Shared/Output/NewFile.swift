package import ArgumentParser
package import Presentation
package import System
internal import Text
package import VaultCrypto
internal import VaultLifecycle

/// The file that `-o` names.
///
/// It is checked before the command does anything that would be lost without the file, such as mark a message as read.
package enum NewFile {
    /// The path that `-o` names; nil for `-`, which means standard output in every command.
    package static func named(_ path: String?) -> String? { path == "-" ? nil : path }

    /// The error for an existing file, in a command that never replaces a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - option: The option that names another file.
    /// - Returns: the error, which names the file.
    package static func taken(_ path: String, _ option: String) -> Failure {
        var failure = failed(.fileExists, at: path)
        failure.hint = "\(option) OTHER  names a new file"
        return failure
    }

    private static func failed(_ error: ConsoleError, at path: String) -> Failure {
        var failure = Failure(error)
        failure.message = "\(Display(isUTF8: true).text(path)): \(failure.message)"
        return failure
    }

    /// Writes a new file; never replaces an existing one.
    ///
    /// - Returns: The file that was made; nil if the path is something that is only written to.
    package static func write(
        _ bytes: borrowing some ByteSource & ~Copyable,
        to path: String,
        _ option: String
    ) throws -> MadeFile? {
        do throws(ProgramError) {
            return try OwnFile.write(bytes, to: path)
        } catch {
            throw error == .fileExists ? taken(path, option) : failed(error, at: path)
        }
    }

    /// Refuses a path where the file cannot be written.
    ///
    /// - Throws: `alreadyExists` for a file that is not to be replaced; `notFound` without its folder.
    package static func check(_ path: String?, replaces: Bool) throws(Failure) {
        guard let path = named(path) else { return }
        if Path.isFile(path), !replaces { throw failed(.fileExists, at: path) }
        let folder = Path.folder(of: path)
        guard Path.exists(folder) else {
            let shown = Display(isUTF8: true).text(folder)
            throw Failure(
                .notFound,
                "\(shown) does not exist",
                hint: "mkdir -p \(ShellWord.path(folder))"
            )
        }
    }
}

/// The options for where a command writes its result: to standard output, or to a new file.
package struct NewFileOptions: ParsableArguments {
    /// The value of `-o`; `-` is standard output.
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to a file of mode 0600; - is stdout.", valueName: "file"),
        completion: .file()
    )
    package var output: String?

    /// Whether an existing file may be replaced.
    @Flag(help: "Replace the file if it is there.")
    package var force = false

    /// Makes the options for the parser.
    package init() {}

    /// The options for standard output, as without any given option.
    package static var standardOutput: NewFileOptions {
        var options = NewFileOptions()
        (options.output, options.force) = (nil, false)
        return options
    }

    /// The path of the file; nil for standard output.
    package var path: String? { NewFile.named(output) }

    /// Refuses a path where the file cannot be written, before anything is done that would be lost without it.
    ///
    /// - Throws: `alreadyExists` for a file that is not to be replaced; `notFound` without its folder.
    package func check() throws(Failure) {
        try NewFile.check(path, replaces: force)
    }

    /// Writes to the file, or to standard output if no file was named.
    package func write(_ bytes: borrowing some ByteSource & ~Copyable, _ context: Context) throws {
        guard let path else { return try context.output.data(bytes) }
        try OwnFile.write(bytes, to: path, force: force)
    }
}
