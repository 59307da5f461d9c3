/// What an interpreter says that it runs: its own claim, from a command line that its process can change.
public struct ScriptClaim: Hashable, Sendable {
    /// The kinds of programs that an interpreter runs.
    public enum Kind: Hashable, Sendable {
        /// A file; its text is the path.
        case file
        /// A module, by its name.
        case module
        /// Commands that stand in the command line or come from standard input; they have no text.
        case commands
    }

    /// What it runs.
    public let kind: Kind
    /// The path of the file, or the name of the module.
    public let text: String
    /// The file name of the interpreter, if the program that asks is a tool that the interpreter started.
    public let starter: String?
    /// Whether only root can change the interpreter, the script and the folders above them.
    public let isOfSystem: Bool

    /// What an interpreter says.
    public init(_ kind: Kind, _ text: String = "", starter: String? = nil, isOfSystem: Bool = false) {
        (self.kind, self.text, self.starter, self.isOfSystem) = (kind, text, starter, isOfSystem)
    }

    /// The program together with this script, as an item keeps it among its readers.
    ///
    /// No program file has such a path: only root could make a folder of that name.
    ///
    /// - Returns: nil for a script that anyone but root can change.
    public func identity(with program: ProgramIdentity) -> ProgramIdentity? {
        guard kind == .file, isOfSystem else { return nil }
        return ProgramIdentity("\(program.text) \(text)")
    }
}

/// The command line of an interpreter, as far as it says which script runs.
public struct ScriptArguments: Hashable, Sendable {
    /// What runs.
    public let kind: ScriptClaim.Kind
    /// The path as it was given, or the name of the module.
    public let text: String
    /// Whether nothing before the path can make the interpreter run other code, too.
    public let isPlain: Bool

    /// Options of interpreters, by what their file names begin with.
    private struct Language {
        let names: [String]
        /// Letters of options that bring commands.
        let commands: String
        /// Letters of options that bring a word of their own.
        let words: String
        /// Letters of options that bring no other code.
        let plain: String
    }

    private static let languages = [
        Language(names: ["python", "pypy"], commands: "c", words: "WX", plain: "BEIOPSbdqsuv"),
        Language(names: ["perl"], commands: "eE", words: "I", plain: "TWtw"),
        Language(names: ["ruby"], commands: "e", words: "rI", plain: "w"),
        Language(names: ["node", "bun", "deno", "gjs", "cjs"], commands: "ecp", words: "rI", plain: ""),
        Language(
            names: [
                "bash", "dash", "ksh", "mksh", "zsh", "csh", "tcsh", "fish", "nu", "sh", "xonsh", "pwsh",
            ],
            commands: "cs",
            words: "oO",
            plain: "eux"
        ),
        Language(names: ["php"], commands: "rBRE", words: "dc", plain: ""),
        Language(
            names: ["lua", "guile", "julia", "Rscript", "tclsh", "wish"],
            commands: "ecE",
            words: "lL",
            plain: ""
        ),
    ]

    /// Reads a command line; nil if the program is not an interpreter, or was given nothing to run.
    ///
    /// - Parameters:
    ///   - program: the file name of the interpreter.
    ///   - arguments: the words of the command line, its own name first.
    public init?(of program: String, _ arguments: [String]) {
        let plainName = program.utf8.reversed().drop { Array("0123456789.-".utf8).contains($0) }.reversed()
        let name = String(decoding: plainName, as: UTF8.self)
        guard let language = Self.languages.first(where: { $0.names.contains(name) }) else { return nil }
        var rest = arguments.dropFirst()
        var isPlain = true
        while let word = rest.popFirst() {
            if word == "-" {
                self.init(.commands)
                return
            }
            if word == "--" { continue }
            // A process that gave itself another name leaves empty words behind.
            guard !word.isEmpty else { return nil }
            guard word.hasPrefix("-"), word.utf8.count > 1 else {
                self.init(.file, word, isPlain: isPlain)
                return
            }
            if word.hasPrefix("--") {
                isPlain = false
                continue
            }
            let letters = word.dropFirst()
            if letters.first == "m", language.names.contains("python") {
                let module = letters.count > 1 ? String(letters.dropFirst()) : rest.first ?? ""
                self.init(.module, module)
                return
            }
            // A word may stand right behind its letter. Its letters are not options.
            let hasWord = letters.first.map { language.words.contains($0) } ?? false
            if !hasWord, letters.contains(where: language.commands.contains) {
                self.init(.commands)
                return
            }
            isPlain = isPlain && letters.allSatisfy(language.plain.contains)
            if letters.count == 1, letters.contains(where: language.words.contains) {
                rest = rest.dropFirst()
            }
        }
        return nil
    }

    private init(_ kind: ScriptClaim.Kind, _ text: String = "", isPlain: Bool = false) {
        (self.kind, self.text, self.isPlain) = (kind, text, isPlain)
    }
}
