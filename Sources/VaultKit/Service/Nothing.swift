/// What an operation answers that has nothing to say.
public struct Nothing: Codable, Sendable {
    init() {}
}
