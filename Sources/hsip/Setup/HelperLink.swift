internal import CommandKit
internal import Console
internal import Glibc
internal import Programs
internal import SystemSetup
internal import VaultLifecycle

/// The link beside this program by which git or docker starts it.
struct HelperLink {
    let path: String

    init(_ part: HelperPart, _ environment: Environment) throws(Failure) {
        path = "\(Path.folder(of: try OwnProgram.path(environment)))/\(part.rawValue)"
    }

    /// The link is missing, and this user may make it.
    var isDue: Bool {
        let mayWrite = unsafe access(Path.folder(of: path), W_OK) == 0
        return mayWrite && !Path.exists(path)
    }

    /// The link is there, or can be made.
    var isUsable: Bool { Path.exists(path) || isDue }

    /// How a person makes it who may write to the folder.
    var command: String { "sudo ln -s hsip \(ShellWord.quoted(path))" }

    func make() throws(Failure) {
        guard unsafe symlink("hsip", path) == 0 || errno == EEXIST else {
            throw Failure(.helperMissing, "\(path) could not be made", hint: command)
        }
    }
}
