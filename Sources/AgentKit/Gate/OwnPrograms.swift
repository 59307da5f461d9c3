internal import Glibc
package import VaultPolicy

/// Which programs count as our own, by the paths of their files: the command line, and the front of the message bus.
package struct OwnPrograms: Sendable {
    private let paths: Set<String>
    private let fronts: Set<String>

    /// Exactly these.
    ///
    /// - Parameters:
    ///   - paths: of the command line.
    ///   - fronts: of the program that serves the vault on the message bus.
    package init(_ paths: Set<String>, fronts: Set<String> = []) {
        self.paths = paths
        self.fronts = fronts
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
        return OwnPrograms(paths, fronts: [folder + "/hsip-secrets"])
    }

    /// Whether a program is the front, which speaks for programs on the message bus, and for nothing else.
    package func isFront(_ program: PeerProgram) -> Bool { program.path.map(fronts.contains) ?? false }

    /// The program as the policy sees it.
    package func program(_ program: PeerProgram) -> Program {
        guard let path = program.path else { return .unknown }
        return paths.contains(path) ? .own(path: path) : .other(path: path)
    }
}
