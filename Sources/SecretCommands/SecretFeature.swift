package import ArgumentParser
package import CommandKit

/// The commands about secrets: kept, read, copied, and given to programs.
package enum SecretFeature {
    package static let commands: [any ParsableCommand.Type] = [
        Run.self, SecretGroup.self, ClipboardKeeper.self,
    ]

    /// What an everyday form asks for; nil for everything else.
    package static func plainCommand(of words: [String]) -> (any Runnable)? {
        SecretReading.read(words)
    }
}
