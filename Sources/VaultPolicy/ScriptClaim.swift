/// The script that an interpreter claims to run, from its command line, which its process can change.
public struct ScriptClaim: Hashable, Sendable {
    /// The kinds of code that an interpreter runs.
    public enum Kind: Hashable, Sendable {
        /// A file; the text is its path.
        case file
        /// A module; the text is its name.
        case module
        /// Commands in the command line or from standard input; the text is empty.
        case commands
    }

    /// The kind of code.
    public let kind: Kind
    /// The path of the file, or the name of the module.
    public let text: String
    /// The file name of the interpreter, if the requesting program is a tool that the interpreter started.
    public let starter: String?
    /// Whether only root can change the interpreter, the script and the folders above them.
    public let isOfSystem: Bool

    /// Compares texts byte for byte: two spellings of one text are two paths.
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
            && left.isOfSystem == right.isOfSystem
            && left.starter.map { Array($0.utf8) } == right.starter.map { Array($0.utf8) }
    }

    /// Hashes the bytes, so that equal claims have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(Array(text.utf8))
    }

    /// Creates a claim.
    public init(_ kind: Kind, _ text: String = "", starter: String? = nil, isOfSystem: Bool = false) {
        (self.kind, self.text, self.starter, self.isOfSystem) = (kind, text, starter, isOfSystem)
    }

    /// Returns the program together with this script, as an item stores it among its readers.
    ///
    /// No program file has such a path: only root could make a folder of that name.
    ///
    /// - Returns: nil for a script that others than root can change.
    public func identity(with program: ProgramIdentity) -> ProgramIdentity? {
        guard kind == .file, isOfSystem else { return nil }
        return ProgramIdentity("\(program.text) \(text)")
    }
}

/// The part of an interpreter's command line that names the script.
public struct ScriptArguments: Hashable, Sendable {
    /// The kind of code.
    public let kind: ScriptClaim.Kind
    /// The path as given, or the name of the module.
    public let text: String
    /// Whether no option before the path makes the interpreter run other code as well.
    public let isPlain: Bool

    /// The known options of an interpreter; with any other option the script is unknown.
    private struct Language {
        let names: [String]
        /// Letters of options that are followed by commands.
        var commands = ""
        /// Letters of options that are followed by a value.
        var words = ""
        /// Whether that value is always the next word, and never the rest of the same word.
        var wordsStandApart = false
        /// Letters of options that run no other code.
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

    /// The meaning of a word of options.
    private enum Options {
        case commands
        case module(String?)
        case known(isPlain: Bool, takesNext: Bool)
        case unknown
    }

    /// Reads a command line; nil if the program is not an interpreter, or was given no script.
    ///
    /// It is also nil after an unknown option, since the next word may not be the script.
    ///
    /// - Parameters:
    /// - program: the file name of the interpreter.
    /// - arguments: the words of the command line, beginning with the interpreter's own name.
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
            // A process that renamed itself leaves empty words behind.
            guard let first = word.first, first != "+", !word.hasPrefix("--") else { return nil }
            guard first == "-" else {
                // `node inspect` is a command of node itself.
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
