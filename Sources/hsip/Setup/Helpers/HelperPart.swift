internal import Commands
internal import Glibc
internal import Presentation
internal import Setup
internal import System
internal import VaultKit
internal import VaultLifecycle

/// The helper that another program starts to keep its passwords, recognised by the name of the link to this
/// program.
enum HelperPart: String {
    /// gitcredentials(7).
    case git = "git-credential-hsip"
    /// docker/docker-credential-helpers.
    case docker = "docker-credential-hsip"

    /// The part that a first word of the command line names.
    init?(startedAs word: String?) {
        guard let name = word?.split(separator: "/").last else { return nil }
        self.init(rawValue: String(name))
    }

    /// Plays it.
    ///
    /// - Parameter arguments: without the program's own name.
    /// - Returns: the exit code.
    func run(_ arguments: [String]) async -> Int32 {
        let parts: (globals: Globals, words: [String])
        do throws(Failure) {
            parts = try Globals.split(arguments)
        } catch {
            return Output(command: rawValue, console: .current()).fail(error)
        }
        var globals = parts.globals
        // What these programs read is fixed by others.
        globals.mode.remove(.json)
        let act = parts.words.first ?? ""
        // A person that git just asked for a password is not asked for another one to keep it. An open vault may
        // still ask for their approval.
        globals.leavesLocked = act != "get"
        let context = Context(command: rawValue, globals: globals)
        context.purpose = self == .git ? "for git" : "for docker"
        defer { context.finish() }
        do {
            switch self {
            case .git: return try await GitHelper(context).run(act)
            case .docker: return try await DockerHelper(context).run(act)
            }
        } catch {
            return answer(Failure(error), to: act, context)
        }
    }

    /// Git continues without an answer and asks its user, so a locked or missing vault is not reported to it.
    ///
    /// A refusal by the policy is reported in one line, with the command that allows it: git shows this
    /// helper's stderr.
    /// Docker reads its errors from stdout.
    private func answer(_ failure: Failure, to act: String, _ context: Context) -> Int32 {
        let isOfPolicy = ["nobodyToAsk", "policyRefused"].contains(failure.name)
        let way = isOfPolicy ? failure.hint.map { " (\($0))" } ?? "" : ""
        switch self {
        case .git:
            guard [3, 5, 6, 7].contains(failure.exitCode) else { return context.output.fail(failure) }
            if isOfPolicy {
                let done = act == "get" ? "given" : act == "store" ? "kept" : "erased"
                context.output.say("hsip: the password for git was not \(done): \(failure.message)\(way)")
            }
            return 0
        case .docker:
            try? context.output.line("hsip: \(failure.message)\(way)")
            return 1
        }
    }
}

/// The link beside this program by which git or docker starts it.
///
/// It leads to the whole path of the program. A link of an installation leads to the bare name, so `--undo` leaves that.
struct HelperLink {
    let path: String
    private let program: String

    init(_ part: HelperPart, _ environment: Environment) throws(Failure) {
        program = try OwnProgram.path(environment)
        path = "\(Path.folder(of: program))/\(part.rawValue)"
    }

    /// What makes the link, where it is missing and this user may make it.
    var making: [LinkChange] {
        mayWrite && !Path.exists(path) ? [LinkChange(path, to: program, makes: true)] : []
    }

    /// What removes the link that `making` made.
    var removing: [LinkChange] {
        let change = LinkChange(path, to: program, makes: false)
        return mayWrite && change.isThere ? [change] : []
    }

    /// The link is there, or can be made.
    var isUsable: Bool { Path.exists(path) || !making.isEmpty }

    /// How a person makes it who may write to the folder.
    var command: String { "sudo ln -s \(ShellWord.quoted(program)) \(ShellWord.quoted(path))" }

    /// Whether programs find the link by its name.
    func isInPath(_ environment: Environment) -> Bool {
        environment["PATH"]?.split(separator: ":").contains(Path.folder(of: path)[...]) ?? false
    }

    private var mayWrite: Bool { unsafe access(Path.folder(of: path), W_OK) == 0 }
}
