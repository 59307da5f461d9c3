package import ArgumentParser
package import Presentation
package import System
internal import Text
package import VaultCrypto
internal import VaultLifecycle

/// The file of an `-o`, looked at before anything is done that would be lost without it: a number used, a
/// message marked as read.
package enum NewFile {
    /// The file that an `-o` names; nil for `-`, which is standard output in every command, as if there were no `-o`.
    package static func named(_ path: String?) -> String? { path == "-" ? nil : path }

    /// The refusal of a file that exists, in a command that never replaces one.
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

    /// Writes a file that replaces none.
    ///
    /// - Returns: The file that was made; nil where something was only written to.
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

    /// Refuses a place where the file cannot go.
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

/// Where what a command makes goes: to standard output, or into a file of its own.
package struct NewFileOptions: ParsableArguments {
    /// What `-o` says; `-` is standard output.
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to a file of mode 0600; - is stdout.", valueName: "file"),
        completion: .file()
    )
    package var output: String?

    /// True where a file that is there may be replaced.
    @Flag(help: "Replace the file if it is there.")
    package var force = false

    /// As the parser begins.
    package init() {}

    /// As without any of them.
    package static var standardOutput: NewFileOptions {
        var options = NewFileOptions()
        (options.output, options.force) = (nil, false)
        return options
    }

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
