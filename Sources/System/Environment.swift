internal import Glibc

/// The environment variables of the process, or a given set of them in a test.
package struct Environment: Sendable {
    private let chosen: [String: String]?

    /// The variables of this process.
    package static let process = Environment(chosen: nil)

    /// Makes an environment of exactly these variables.
    package init(_ variables: [String: String]) {
        self.init(chosen: variables)
    }

    private init(chosen: [String: String]?) {
        self.chosen = chosen
    }

    /// The value of a variable; nil if it is unset or empty, which mean the same everywhere here.
    package subscript(name: String) -> String? {
        let value = chosen.map { $0[name] } ?? Self.ofProcess(name)
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func ofProcess(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
