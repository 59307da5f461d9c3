internal import Glibc
package import VaultPolicy

/// Which programs count as our own command line, by the paths of their files.
package struct OwnPrograms: Sendable {
    private let paths: Set<String>

    /// Exactly these.
    package init(_ paths: Set<String>) {
        self.paths = paths
    }

    /// The `hsip` installed with the program that runs this: beside it, or in the folder of commands where the
    /// program itself is in one of those that people do not call.
    package static func beside() -> OwnPrograms {
        guard let path = ProcessFacts.program(of: getpid()).path, let slash = path.lastIndex(of: "/") else {
            return OwnPrograms([])
        }
        let folder = String(path[..<slash])
        var paths: Set<String> = [folder + "/hsip"]
        if folder.hasSuffix("/libexec") { paths.insert(folder.dropLast("libexec".count) + "bin/hsip") }
        return OwnPrograms(paths)
    }

    /// The program as the policy sees it.
    package func program(_ program: PeerProgram) -> Program {
        guard let path = program.path else { return .unknown }
        return paths.contains(path) ? .own(path: path) : .other(path: path)
    }
}
