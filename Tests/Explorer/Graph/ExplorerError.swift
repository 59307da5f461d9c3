/// Why a walk could not be made.
package enum ExplorerError: Error, Hashable, Sendable {
    /// The bounds need more codes and messages than a state has room for.
    case tooManyNames
    /// An epoch, attempt or limit outside what the symbolic names can carry.
    case outOfBounds
}
