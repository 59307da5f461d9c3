internal import ArgumentParser

/// The commands about secrets: kept, read, copied, and given to programs.
enum SecretFeature {
    static let commands: [any ParsableCommand.Type] = [Run.self, SecretGroup.self, ClipboardKeeper.self]

    /// What an everyday form asks for; nil for everything else.
    static func plainCommand(of words: [String]) -> (any Runnable)? {
        SecretReading.read(words)
    }
}
