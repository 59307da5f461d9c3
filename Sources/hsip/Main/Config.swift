internal import AgentProtocol
internal import ArgumentParser
internal import Commands
internal import Presentation
internal import Text
internal import VaultLifecycle

/// `hsip config [KEY [VALUE]]`.
struct ConfigCommand: Command {
    static let path = "config"
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or change settings.",
        discussion: """
            prompt: where hsip asks you. auto: at the terminal of the program that asks, else by the agent \
            in a window or at the terminal where you unlocked. terminal: never in a window. pinentry: \
            always by the agent.

            service.plain: whether programs may ask for values in clear on the message bus. allow: as \
            Chromium and gh need it. refuse: never. Every program that watches the bus can read what is \
            sent in clear.

              hsip config
              hsip config prompt
              hsip config prompt terminal
              hsip config prompt --unset
            """
    )

    @Argument(help: "The setting to show or change.")
    var key: String?

    @Argument(help: "The setting's new value.")
    var value: String?

    @Flag(help: "Go back to the default value.")
    var unset = false

    private static let columns = ["key", "value", "from"].map { Column($0) }

    func run(_ context: Context) async throws {
        let setting = try key.map { try Setting.named($0) }
        let file = ConfigFile(path: try context.place().configPath)
        if value != nil || unset { try change(setting, file, context) }
        var table = Table(Self.columns)
        var list: [JSONValue] = []
        for setting in setting.map({ [$0] }) ?? Setting.all {
            let word = try context.explaining { try file.setting(setting.name) }
            let shown = context.output.display.cell(word ?? setting.usual)
            if let word, !setting.values.contains(word) {
                context.output.warn(
                    Warning(
                        "settingUnknown",
                        "\(setting.name) is \(shown) in config.json, a value that hsip does not know; \(setting.usual) applies",
                        hint: "hsip config \(setting.name) --unset"
                    )
                )
            }
            let from = word == nil ? "default" : "config"
            table.add([Cell(setting.name), Cell(shown, value: word ?? setting.usual), Cell(from)])
            list.append([
                "key": .text(setting.name), "value": .text(word ?? setting.usual), "from": .text(from),
                "usual": .text(setting.usual), "values": .list(setting.values.map { .text($0) }),
            ])
        }
        if key != nil, value == nil, !unset, case .some(let setting) = setting {
            let word = try context.explaining { try file.setting(setting.name) }
            try context.output.line(context.shown(word ?? setting.usual))
        } else if key == nil {
            try context.output.table(table)
        }
        try context.output.succeed(["settings": .list(list), "path": .text(file.path)])
    }

    private func change(_ setting: Setting?, _ file: ConfigFile, _ context: Context) throws {
        guard let setting, value == nil || !unset else {
            throw Failure.usage(
                "--unset needs the name of a setting, and no value",
                hint: "hsip config prompt --unset"
            )
        }
        if let value, !setting.values.contains(value) {
            throw Failure.usage(
                "\(setting.name) is one of \(setting.values.joined(separator: ", "))",
                hint: "hsip config \(setting.name) \(setting.usual)"
            )
        }
        try context.explaining { try file.set(value, for: setting.name) }
        context.output.note("\(setting.name) is \(value ?? setting.usual)")
        if setting.name == "service.plain" {
            context.output.note("hsip-secrets reads it when it starts")
        } else if let paths = try? context.agentPaths(), Path.exists(paths.control) {
            context.output.hint("hsip agent restart")
        }
    }
}

/// A setting that a person can change.
struct Setting {
    let name: String
    /// The default value.
    let usual: String
    let values: [String]

    static let all = [
        Setting(
            name: "prompt",
            usual: PromptChoice.auto.rawValue,
            values: PromptChoice.allCases.map(\.rawValue)
        ),
        Setting(name: "service.plain", usual: "allow", values: ["allow", "refuse"]),
    ]

    /// - Throws: `usage` for a word that is no setting.
    static func named(_ name: String) throws(Failure) -> Setting {
        guard let setting = all.first(where: { $0.name == name }) else {
            throw Failure.usage(
                "hsip has no such setting; the settings are \(all.map(\.name).joined(separator: ", "))",
                hint: "hsip config"
            )
        }
        return setting
    }
}
