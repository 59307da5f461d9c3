internal import ArgumentParser
internal import CommandKit

/// How the new secrets of a vault file come about: which passphrase does, and where its recovery code goes.
struct NewSecretOptions: ParsableArguments {
    @Flag(help: "Accept a passphrase that is short or easy to guess.")
    var weak = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Write the recovery code to this file, not the screen."
    )
    var output: String?

    /// The file of the recovery code; nil to show it.
    var file: String? { NewFile.named(output) }
}
