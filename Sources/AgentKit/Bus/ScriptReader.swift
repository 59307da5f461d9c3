internal import AgentProtocol
internal import Files
internal import Glibc
internal import RecordStore
internal import VaultPolicy

/// Reads from /proc which script an interpreter says that it runs.
enum ScriptReader {
    /// Bytes of a command line that are read.
    private static let longest = 4_096

    /// The claim of an interpreter, or of the interpreter that started a tool, as a script starts `secret-tool`; nil for any
    /// other program.
    ///
    /// - Parameters:
    ///   - pid: the process.
    ///   - path: the file of its program.
    /// - Returns: what it says; only a claim, as a process can change its command line.
    static func claim(of pid: Int32, _ path: String) -> ScriptClaim? {
        if let own = claim(of: pid, path, starter: nil, tool: nil) { return own }
        guard isTool(path), let facts = ProcessStat(of: pid),
            let above = ProcessStat(of: facts.parent), above.start <= facts.start,
            let interpreter = ProcessFacts.program(of: facts.parent).path
        else { return nil }
        return claim(of: facts.parent, interpreter, starter: ProcessFacts.name(interpreter), tool: path)
    }

    /// Whether a program acts for its starter: a tool that any program can run, and hsip.
    private static func isTool(_ path: String) -> Bool {
        ProcessFacts.name(path) == "hsip" || ProgramIdentity(path).map(SharedTools.contains) ?? false
    }

    private static func claim(
        of pid: Int32,
        _ path: String,
        starter: String?,
        tool: String?
    ) -> ScriptClaim? {
        guard let bytes = ProcessFacts.read("/proc/\(pid)/cmdline", atMost: longest),
            // A command line that fills the buffer was cut.
            bytes.count < longest
        else { return nil }
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        guard let arguments = ScriptArguments(of: ProcessFacts.name(path), words) else { return nil }
        // Bytes that no text has could stand for several names.
        guard !arguments.text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        guard arguments.kind == .file else {
            return ScriptClaim(arguments.kind, arguments.text, starter: starter)
        }
        let isAbsolute = arguments.text.hasPrefix("/")
        guard let script = isAbsolute ? arguments.text : absolute(arguments.text, for: pid) else {
            return nil
        }
        guard isFile(script) else {
            // A pipe has the commands, and a script that changed its folder is not found by a relative path.
            return isAbsolute ? ScriptClaim(.commands, starter: starter) : nil
        }
        // A person's own script, which most are, is told at the first look.
        let isOfSystem =
            arguments.isPlain && isAbsolute
            && ([script, path] + (tool.map { [$0] } ?? [])).allSatisfy { SystemPlace.holds($0) }
        return ScriptClaim(.file, script, starter: starter, isOfSystem: isOfSystem)
    }

    /// Whether a path leads to a regular file outside /dev and /proc, whose files differ from process to process.
    private static func isFile(_ path: String) -> Bool {
        !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
            && FileFacts(at: path, followsLinks: true)?.isFile == true
    }

    /// A path as it is from the folder of a process.
    private static func absolute(_ path: String, for pid: Int32) -> String? {
        guard let folder = ProcessFacts.link("/proc/\(pid)/cwd"),
            !folder.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        let rest = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return folder == "/" ? "/\(rest)" : "\(folder)/\(rest)"
    }
}
