internal import Programs

/// The errors of this module as a person and a script read them.
package enum Failures {
    /// Scripts get the names of Schemas/errors.json, which are coarser than those of the helper programs.
    package static func explain(_ error: ConsoleError) -> Failure {
        var failure = Failure(error)
        switch error {
        case .diskFull, .outOfMemory: break
        default:
            failure.code =
                switch error.exitCode {
                case .conflict: "alreadyExists"
                case .malformed: "malformedInput"
                case let code: code.name
                }
        }
        return failure
    }
}
