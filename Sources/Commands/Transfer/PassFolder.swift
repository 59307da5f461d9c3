internal import Glibc
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A store of the program `pass`: every `.gpg` file of a folder, decrypted by `gpg`, which asks for what it needs.
struct PassFolder {
    /// Folders within folders that are looked into.
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

    /// Opens all of them; one that cannot be opened is named.
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
                // Text stands in for the bytes of such a name, so that the file cannot be found by it.
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

    /// The files below a folder, as paths below the store without their ending.
    ///
    /// What begins with a dot (`.git`, `.gpg-id`, `.extensions`) belongs to the tool. A folder is looked into once,
    /// whatever links lead to it: one that leads upwards would make any store too deep.
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

    /// The path of a folder without any links; the path itself if that cannot be resolved.
    private static func place(of path: String) -> String {
        Path.resolved(path) ?? path
    }

    /// What a file holds, straight into locked memory; nil when gpg does not open it.
    private func decrypt(_ path: String, _ tool: String) -> SecretBytes? {
        guard let input = try? Pipe(), let output = try? Pipe() else { return nil }
        defer {
            input.close()
            output.close()
        }
        // No one to ask: gpg-agent may have the passphrase all the same.
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

    /// What gpg needs to find its keys, and its agent to ask for a passphrase.
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
