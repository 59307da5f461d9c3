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

    /// Two spellings of one text are two paths.
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
            && left.isOfSystem == right.isOfSystem
            && left.starter.map { Array($0.utf8) } == right.starter.map { Array($0.utf8) }
    }

    /// The same for equal claims.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(Array(text.utf8))
    }

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

    /// Options of interpreters that are known; with any other, nothing is said about the script.
    private struct Language {
        let names: [String]
        /// Letters of options that bring commands.
        var commands = ""
        /// Letters of options that bring a word of their own.
        var words = ""
        /// Whether that word is always the next one, and never the rest of the same word.
        var wordsStandApart = false
        /// Letters of options that bring no other code.
        var plain = ""
        /// Letters of other options.
        var others = ""
        /// Whether -m brings a module.
        var hasModules = false
    }

    private static let languages = [
        Language(
            names: ["python", "pypy"],
            commands: "c",
            words: "WX",
            plain: "BEIOPSbdqsuv",
            others: "ix",
            hasModules: true
        ),
        Language(names: ["perl"], commands: "eE", words: "I", plain: "TWtw", others: "anps"),
        Language(names: ["ruby"], commands: "e", words: "rI", plain: "w"),
        Language(names: ["node"], commands: "ep", words: "r"),
        Language(names: ["gjs", "cjs"], commands: "c", words: "I"),
        Language(
            names: ["bash", "dash", "ksh", "mksh", "zsh", "sh"],
            commands: "cs",
            words: "oO",
            wordsStandApart: true,
            plain: "eux",
            others: "il"
        ),
        Language(names: ["php"], commands: "rBRE", words: "dc"),
        Language(names: ["lua"], commands: "e", words: "l"),
        Language(names: ["guile", "julia", "Rscript", "tclsh", "wish"]),
    ]

    /// What a word of options says.
    private enum Options {
        case commands
        case module(String?)
        case known(isPlain: Bool, takesNext: Bool)
        case unknown
    }

    /// Reads a command line; nil if the program is not an interpreter, or was given nothing to run.
    ///
    /// It is nil, too, behind an option that is not known: what follows need not be the script.
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
            // A process that gave itself another name leaves empty words behind.
            guard let first = word.first, first != "+", !word.hasPrefix("--") else { return nil }
            guard first == "-" else {
                // `node inspect` is a command of node's own.
                guard name != "node" || word.contains("/") || word.contains(".") else { return nil }
                self.init(.file, word, isPlain: isPlain)
                return
            }
            switch Self.options(word.dropFirst(), of: language) {
            case .commands:
                self.init(.commands)
                return
            case .module(let module):
                guard let module = module ?? rest.first else { return nil }
                self.init(.module, module)
                return
            case .known(let isPlainWord, let takesNext):
                isPlain = isPlain && isPlainWord
                if takesNext { rest = rest.dropFirst() }
            case .unknown: return nil
            }
        }
        return nil
    }

    private static func options(_ letters: Substring, of language: Language) -> Options {
        var isPlain = true
        for place in letters.indices {
            let (letter, rest) = (letters[place], letters[place...].dropFirst())
            if language.commands.contains(letter) { return .commands }
            if letter == "m", language.hasModules { return .module(rest.isEmpty ? nil : String(rest)) }
            if language.words.contains(letter) {
                guard rest.isEmpty || !language.wordsStandApart else { return .unknown }
                return .known(isPlain: false, takesNext: rest.isEmpty)
            }
            if language.plain.contains(letter) { continue }
            guard language.others.contains(letter) else { return .unknown }
            isPlain = false
        }
        return .known(isPlain: isPlain, takesNext: false)
    }

    private init(_ kind: ScriptClaim.Kind, _ text: String = "", isPlain: Bool = false) {
        (self.kind, self.text, self.isPlain) = (kind, text, isPlain)
    }
}
