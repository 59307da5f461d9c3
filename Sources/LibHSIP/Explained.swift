internal import Presentation

/// A refusal, and what was found out about it.
struct Explained: Error {
    let error: any Error
    let details: JSONValue
}
