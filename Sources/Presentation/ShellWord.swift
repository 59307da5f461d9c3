/// A name as a word of a command line that a hint proposes.
package enum ShellWord {
    /// The name, in quotes where a shell would need them.
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

    /// A path; its slashes need no quotes, and a dash at its start is no option.
    package static func path(_ path: String) -> String {
        let path = path.hasPrefix("-") ? "./" + path : path
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return parts.allSatisfy { quoted($0) == $0 } ? path : quoted(path)
    }
}
