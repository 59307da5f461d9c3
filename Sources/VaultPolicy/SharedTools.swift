/// Programs that do what any other program tells them to: that one of them made an item says nothing of who reads it.
public enum SharedTools {
    /// Names of files: interpreters, shells, and tools of the bus.
    public static let names: Set<String> = [
        "bash", "busctl", "bun", "busybox", "csh", "dash", "dbus-send", "deno", "dotnet", "fish", "gdbus",
        "java", "ksh", "mksh", "mono", "node", "nodejs", "nu", "perl", "pwsh", "secret-tool", "sh", "tcsh",
        "xdg-dbus-proxy", "xonsh", "zsh",
    ]
    /// What names of files begin with where a version or a word may follow: interpreters and their kin, and helpers that
    /// print what they keep.
    public static let beginnings = [
        "docker-credential-", "electron", "emacs", "git-credential-", "gjs", "guile", "ld-linux", "ld.so",
        "lua", "perl", "php", "pypy", "python", "qdbus", "ruby", "tclsh", "wish",
    ]

    /// Whether a program is such a tool.
    ///
    /// Of a Flatpak or a snap that is not asked: what the sandbox is called is the application in it.
    public static func contains(_ program: ProgramIdentity) -> Bool {
        guard program.text.utf8.first == 0x2F, let file = program.text.split(separator: "/").last else {
            return false
        }
        let name = String(file)
        return names.contains(name) || beginnings.contains { name.utf8.starts(with: $0.utf8) }
    }
}
