internal import LocalState

/// Which programs and scripts only the system could have put where they are.
enum SystemPlace {
    /// Whether no one but root could have put a file there; its path is without links.
    static func holds(_ path: String) -> Bool { LocalState.SystemPlace.holds(path) }
}
