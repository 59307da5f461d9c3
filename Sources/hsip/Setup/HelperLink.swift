internal import CommandKit
internal import Console
internal import Glibc
internal import Programs
internal import SystemSetup
internal import VaultLifecycle

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
