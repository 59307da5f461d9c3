internal import Glibc
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A store of the program `pass`: every `.gpg` file of a folder, decrypted by `gpg`, which asks for its passphrase.
struct PassFolder {
    /// The most levels of nested folders that are read.
    private static let deepest = 32
    private static let seconds = 120

    private let root: String
    private let environment: Environment
    private let asksNothing: Bool
    private let refusal: (ConsoleError, _ path: String) -> Failure

    init(
        _ path: String,
        _ environment: Environment,
        asksNothing: Bool,
        refusal: @escaping (ConsoleError, _ path: String) -> Failure
    ) {
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        (self.environment, self.asksNothing, self.refusal) = (environment, asksNothing, refusal)
    }

    /// Opens all files; a file that cannot be opened is named as refused.
    ///
    /// - Throws: `unavailable` without gpg; `noEntry` for a folder without a file of pass.
    func read() throws -> ImportDocument {
        guard let tool = ChildProcess.find("gpg", in: environment) else {
            throw Failure(
                .unavailable,
                "hsip needs gpg for pass, and gpg is not installed",
                hint: "apt install gpg"
            )
        }
        var (names, seen) = ([String](), Set<String>())
        try collect("", into: &names, &seen, depth: 0)
        guard !names.isEmpty else {
            throw Failure(
                .unknownFormat,
                "the folder has no pass files",
                hint: "hsip vault import ~/.password-store"
            )
        }
        do throws(ImportError) {
            var store = try PassStore()
            for name in names {
                // U+FFFD replaces bytes that are not UTF-8, so the file cannot be found by this name.
                if name.contains("\u{FFFD}") {
                    store.refuse(name, .notText)
                } else if let text = decrypt("\(root)/\(name).gpg", tool) {
                    try store.add(name, text)
                } else {
                    store.refuse(name, .notOpened)
                }
            }
            return try store.finish()
        } catch {
            throw ImportTexts.explain(error)
        }
    }

    /// Collects the files below a folder, as paths relative to the store and without their ending.
    ///
    /// Names that begin with a dot (`.git`, `.gpg-id`, `.extensions`) belong to the tool. A folder is read once, even
    /// if several links lead to it: a link that leads upwards would make any store too deep.
    private func collect(
        _ folder: String,
        into names: inout [String],
        _ seen: inout Set<String>,
        depth: Int
    ) throws {
        guard depth < Self.deepest else { throw ImportTexts.explain(ImportError.tooDeep) }
        let path = folder.isEmpty ? root : "\(root)/\(folder)"
        guard seen.insert(Self.place(of: path)).inserted else { return }
        guard let found = Path.listing(of: path) else {
            throw refusal(.notReadable, path)
        }
        for name in found where !name.hasPrefix(".") {
            let below = folder.isEmpty ? name : "\(folder)/\(name)"
            if Path.isFolder("\(root)/\(below)") {
                try collect(below, into: &names, &seen, depth: depth + 1)
            } else if name.hasSuffix(".gpg") {
                names.append(String(below.dropLast(4)))
            }
            guard names.count <= ImportLimits.entries else { throw ImportTexts.explain(ImportError.tooLarge) }
        }
    }

    /// The path of a folder with its links resolved; the path unchanged if that fails.
    private static func place(of path: String) -> String {
        Path.resolved(path) ?? path
    }

    /// The decrypted content of a file, read directly into locked memory; nil if gpg does not open it.
    private func decrypt(_ path: String, _ tool: String) -> SecretBytes? {
        guard let input = try? Pipe(), let output = try? Pipe() else { return nil }
        defer {
            input.close()
            output.close()
        }
        // gpg must not ask, but gpg-agent may have the passphrase already.
        let asking = asksNothing ? ["--pinentry-mode", "error"] : []
        let process = try? ChildProcess.start(
            tool,
            ["--quiet", "--batch", "--yes", "--use-agent"] + asking + ["--decrypt", "--", path],
            variables,
            input: input.readEnd,
            output: output.writeEnd
        )
        guard let process else { return nil }
        input.closeWriteEnd()
        output.closeWriteEnd()
        var request = pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0)
        let isThere = unsafe poll(&request, 1, Int32(Self.seconds * 1_000)) > 0
        let text = isThere ? try? OwnFile.allOf(Descriptor(output.readEnd), limit: ImportLimits.value) : nil
        if text == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        return status == 0 ? text : nil
    }

    /// The variables that gpg needs to find its keys, and its agent needs to ask for a passphrase.
    private var variables: [String] {
        let names = [
            "HOME", "GNUPGHOME", "GPG_TTY", "TERM", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            "XDG_RUNTIME_DIR",
            "DBUS_SESSION_BUS_ADDRESS",
        ]
        var variables = ["PATH=\(environment["PATH"] ?? "/usr/bin:/bin")", "LC_ALL=C.UTF-8"]
        for name in names {
            if let value = environment[name] { variables.append("\(name)=\(value)") }
        }
        return variables
    }
}
