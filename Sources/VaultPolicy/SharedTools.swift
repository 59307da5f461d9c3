/// Programs that do what any other program tells them to: that one of them made an item says nothing of who reads it.
public enum SharedTools {
    /// Names of files, to which a version may be added: interpreters, shells, and tools of the bus.
    public static let names: Set<String> = [
        "R", "Rscript", "bash", "busctl", "bun", "busybox", "cjs", "csh", "dash", "dbus-send", "deno",
        "dotnet", "fish", "gdbus", "java", "julia", "ksh", "mksh", "mono", "node", "nodejs", "nu", "perl",
        "pwsh", "secret-tool", "sh", "tcsh", "xdg-dbus-proxy", "xonsh", "zsh",
    ]
    /// What names of files begin with where a version or a word may follow: interpreters and their kin, and helpers that
    /// print what they keep.
    public static let beginnings = [
        "docker-credential-", "electron", "emacs", "git-credential-", "gjs", "guile", "ld-linux",
        "ld-musl-", "ld.so", "lua", "perl", "php", "pypy", "python", "qdbus", "ruby", "tclsh", "wish",
    ]

    /// Whether a program is such a tool.
    ///
    /// Of a Flatpak or a snap that is not asked: what the sandbox is called is the application in it.
    public static func contains(_ program: ProgramIdentity) -> Bool {
        guard program.text.utf8.first == 0x2F, let file = program.text.split(separator: "/").last else {
            return false
        }
        let name = String(file)
        // Such as node-20, node22 and ksh93.
        let versions = Array("0123456789.-".utf8)
        let plain = String(
            decoding: name.utf8.reversed().drop { versions.contains($0) }.reversed(),
            as: UTF8.self
        )
        return names.contains(name) || names.contains(plain)
            || beginnings.contains { name.utf8.starts(with: $0.utf8) }
    }
}
