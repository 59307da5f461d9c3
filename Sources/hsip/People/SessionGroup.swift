internal import ArgumentParser

/// `hsip session`: the keys that you share with people.
struct SessionGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "The keys you share with people: list, show, renew and end.",
        subcommands: [
            SessionList.self, SessionShow.self, SessionRotate.self, SessionRevoke.self, SessionImport.self,
            SessionExport.self,
        ]
    )
}
