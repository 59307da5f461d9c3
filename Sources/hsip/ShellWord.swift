/// A name as a word of a command line that a hint proposes.
enum ShellWord {
    /// The name, in quotes where a shell would need them.
    static func quoted(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_.@+".unicodeScalars.contains(scalar)
        }
        return isPlain
            ? name
            : "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
                + "'"
    }
}
