/// Why a stream was not relayed to its end.
package enum RelayError<E: Error>: Error {
    /// Reading or writing failed.
    case stream(ProgramError)
    /// A batch was refused.
    case work(E)
}
