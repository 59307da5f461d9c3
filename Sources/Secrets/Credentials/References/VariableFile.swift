/// A file of variables as dotenv has them: lines `NAME=VALUE`, `export` before them, quotes, comments.
///
/// Nothing in it is executed or expanded: `$` is a character like any other.
public struct VariableFile: Sendable, Equatable {
    /// One variable.
    public struct Variable: Sendable, Equatable {
        /// A letter or underscore, then letters, digits and underscores.
        public let name: [UInt8]
        /// Without quotes, its escapes undone.
        public let value: [UInt8]
    }

    /// The variables in their order; one name may come again, and the last one counts.
    public let variables: [Variable]

    /// Reads a file.
    ///
    /// - Throws: `malformed` with the first line that is no variable; a quote that is never closed is in the line in
    ///   which it opens.
    public init(reading text: [UInt8]) throws(VariableFileError) {
        var reader = VariableReader(text)
        var variables: [Variable] = []
        while let variable = try reader.next() { variables.append(variable) }
        self.variables = variables
    }

    /// A letter or an underscore, then letters, digits and underscores.
    public static func isName(_ name: some Collection<UInt8>) -> Bool {
        guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
        return name.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x5F
        }
    }
}

/// Why a file of variables is not read.
public enum VariableFileError: Error, Equatable, Sendable {
    /// This line is not `NAME=VALUE`.
    case malformed(line: Int)
}
