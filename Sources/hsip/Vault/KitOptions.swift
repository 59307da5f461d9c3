internal import ArgumentParser
internal import Commands
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// The sheet that a kit is for.
enum KitPaper: String, ExpressibleByArgument, CaseIterable {
    case a4, letter

    var size: PDFPage.Paper { self == .a4 ? .a4 : .letter }
}

/// How an emergency kit is printed, and what it says.
struct KitLook: ParsableArguments {
    // Two options: where a value may be left out, the parser loses one before another option, and a secret would come
    // out at another printer.
    @Flag(name: .customLong("print"), help: "Print the kit with lp, without a file.")
    var isPrinted = false
    @Option(help: ArgumentHelp("The printer, if it is not the default printer.", valueName: "name"))
    var printer: String?
    @Option(help: "The paper of the kit.")
    var paper = KitPaper.a4
    @Flag(help: "Name the vault's file on the kit.")
    var places = false

    /// A printer that is named is meant to be used.
    var prints: Bool { isPrinted || printer != nil }
}

/// The options of commands that can make an emergency kit beside a new recovery code.
struct KitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write an emergency kit (PDF) to this file; - is stdout.",
            valueName: "file"
        ),
        completion: .file()
    )
    var kit: String?
    @OptionGroup var look: KitLook

    /// Where the kit goes; nil where none was asked for.
    var target: KitTarget? { KitTarget(file: kit, look, option: "--kit") }
}

/// Where an emergency kit goes: into a file, to standard output, to a printer.
struct KitTarget {
    /// Seconds that `lp` has to take a page.
    private static let patience = 30

    /// Nil without one; `-` is standard output.
    let file: String?
    let look: KitLook
    /// The option that names the file.
    let option: String

    /// Nil where no kit was asked for.
    init?(file: String?, _ look: KitLook, option: String) {
        guard file != nil || look.prints else { return nil }
        (self.file, self.look, self.option) = (file, look, option)
    }

    /// The file that is made; nil for standard output.
    var path: String? { NewFile.named(file) }

    /// Standard output holds the page, and nothing else.
    var isStream: Bool { file == "-" }

    /// Refuses where the kit cannot go, before anything is asked or made.
    ///
    /// - Throws: `alreadyExists`: a kit replaces no file; `notFound` without its folder; `unavailable` without `lp`;
    ///   `usage` for a terminal, which shows no PDF, and for JSON, which never holds a secret.
    func check(_ context: Context) throws {
        if isStream, context.isJSON || context.console.outputIsTerminal {
            throw Failure.usage(
                "an emergency kit is a PDF file, which "
                    + (context.isJSON ? "is never part of the JSON" : "no terminal shows"),
                hint: "name a file for it, or --print"
            )
        }
        if let path, Path.isFile(path) { throw NewFile.taken(path, option) }
        try NewFile.check(path, replaces: false)
        if look.prints { _ = try HelperRunner(environment: context.environment).process(.lp, []) }
    }

    /// The page of a vault.
    func kit(of place: VaultPlace, _ vaultID: [UInt8], _ context: Context) -> EmergencyKit {
        EmergencyKit(
            vault: place.name,
            vaultID: vaultID,
            made: context.now,
            place: look.places ? place.file : nil,
            paper: look.paper.size
        )
    }

    /// Writes and prints the page.
    ///
    /// - Returns: The file that was made, if one was.
    func deliver(_ page: Secret, _ context: Context) throws -> MadeFile? {
        if look.prints { try print(page, context) }
        if isStream { try context.output.data(page) }
        return try path.flatMap { try NewFile.write(page, to: $0, option) }
    }

    /// What is to be done with it now.
    func tell(_ context: Context) {
        if path != nil { context.output.note("remove the kit's file when it is printed") }
        if look.prints {
            context.output.note(
                "CUPS may keep a copy of what it printed for a day: PreserveJobFiles in cupsd.conf"
            )
        }
        context.output.hint("hsip vault slot test recovery  finds out whether the page can be read")
    }

    /// For the JSON output.
    func outputFile() throws -> JSONValue { .optional(try path.map(AbsolutePath.of)) }

    private func print(_ page: Secret, _ context: Context) throws {
        var arguments = ["-o", "media=\(look.paper == .a4 ? "A4" : "Letter")"]
        if let printer = look.printer { arguments += ["-d", printer] }
        var process = try HelperRunner(environment: context.environment).process(.lp, arguments)
        process.secretInput = page
        process.seconds = Self.patience
        let (status, _) = try process.run()
        guard status == 0 else { throw ConsoleError.programFailed(.lp, status: status) }
    }
}
