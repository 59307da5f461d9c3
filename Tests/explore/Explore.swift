internal import ArgumentParser
internal import Explorer

/// Walks every order of events that a model allows, and says what it found.
@main
struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Walk every order of events of a rotation, of whole vaults, or of machines with one log.",
        discussion: """
            Drives the rules of the HSIP module, over names instead of keys (rotation) or as they are (acts). \
            With --mistake the rules are broken on purpose, and the walk must find it.

            Exit codes: 0 as expected, 1 a promise is broken (with --mistake: none is).
            """,
        subcommands: [ExploreRotation.self, ExplorePairing.self, ExploreActs.self, ExploreMachines.self],
        defaultSubcommand: ExploreRotation.self
    )
}
