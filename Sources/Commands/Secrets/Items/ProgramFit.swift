internal import Glibc
internal import RecordStore
internal import VaultLifecycle
internal import VaultPolicy

/// A program or a script that an item is to name, compared with the files of this machine: the agent knows a program by
/// its file's real path.
struct ProgramFit {
    private let program: ProgramIdentity
    private let parts: (tool: String, script: String)?
    private let paths: [String]

    init(_ program: ProgramIdentity) {
        self.program = program
        parts = program.toolAndScript
        paths = parts.map { [$0.tool, $0.script] } ?? (program.isSandboxed ? [] : [program.text])
    }

    /// Why the agent never finds this program; nil if it can.
    ///
    /// `shown` writes a path.
    func complaint(_ shown: (String) -> String) -> String? {
        for path in paths {
            guard let real = Path.resolved(path) else { return "there is no file \(shown(path))" }
            guard real == path else {
                return "\(shown(path)) is a link to \(shown(real)), and the agent needs the real path"
            }
        }
        guard parts != nil, let path = paths.first(where: { !SystemPlace.holds($0) }) else { return nil }
        return "not only root can change \(shown(path)), so the agent asks about this script"
    }

    /// The same by its real paths; nil if those are given, or if a file is missing.
    var real: ProgramIdentity? {
        let real = paths.compactMap(Path.resolved)
        guard real.count == paths.count, real != paths else { return nil }
        return ProgramIdentity(real.joined(separator: " "))
    }
}
