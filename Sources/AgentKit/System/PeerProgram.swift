/// The program that a process runs, as far as the kernel vouches for it.
package enum PeerProgram: Equatable, Hashable, Sendable {
    /// The absolute path of the program's file.
    case path(String)
    /// It could not be learned. Matches no rule that allows.
    case unknown

    /// The path, where it is known.
    package var path: String? {
        if case .path(let path) = self { path } else { nil }
    }
}
