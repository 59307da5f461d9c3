/// An error by which a module says why a file cannot be used.
package protocol FileFailure: Error {
    /// The error for an error number of the system.
    init(errno code: Int32)

    /// The error for a path that leads to no ordinary file but to a link, a pipe, a folder or a device.
    static func wrongKind(_ path: String) -> Self
}

/// An error number of the system: for callers that only ask whether something worked.
package struct SystemFailure: FileFailure, Equatable {
    /// The number, as `errno` has it.
    package let code: Int32

    package init(errno code: Int32) { self.code = code }

    package static func wrongKind(_ path: String) -> SystemFailure { SystemFailure(errno: 0) }
}
