/// Quotes a name as a word of a command line in a hint.
package enum ShellWord {
    /// Returns the name, quoted if a shell requires it.
    package static func quoted(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_.@+/".unicodeScalars.contains(scalar)
        }
        return isPlain
            ? name
            : "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }

    /// Returns a path; slashes need no quotes, and a leading dash is protected by `./`.
    package static func path(_ path: String) -> String {
        let path = path.hasPrefix("-") ? "./" + path : path
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.allSatisfy { quoted($0) == $0 } ? path : quoted(path)
    }
}
