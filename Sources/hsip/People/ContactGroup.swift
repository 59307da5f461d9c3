internal import ArgumentParser

/// `hsip contact`: the people you know.
struct ContactGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact",
        abstract: "The people you know: list, show, name, remove and bring back.",
        subcommands: [
            ContactList.self, ContactShow.self, ContactSet.self, ContactRemove.self, ContactRestore.self,
            ContactTrustNewKey.self,
        ]
    )
}
