internal import Text
internal import VaultPolicy

/// The prompts about items of programs, for programs on the bus.
extension QuestionText {
    private static let attributeColumns = 60
    /// The length of the names in one prompt in bytes: less than a line of a pinentry.
    private static let maximumNames = 400

    /// Returns the prompts for acts of one call: one, unless there are more names than one prompt can show.
    ///
    /// - Parameters:
    /// - acts: the acts.
    /// - requester: the program that asks.
    /// - longer: the longer choice; nil for none.
    /// - Returns: the prompts; each must be approved.
    static func items(
        _ acts: [Act],
        by requester: Requester,
        longer: LongerYes? = nil
    ) -> [ConfirmQuestion] {
        guard acts.count > 1 else {
            return acts.map { act in
                ConfirmQuestion(
                    title: "Let \(name(of: requester)) \(itemVerb(act))?",
                    lines: who(requester) + itemFacts(act),
                    longer: longer
                )
            }
        }
        return parts(acts).map { part in
            ConfirmQuestion(
                title: "Let \(name(of: requester)) \(pluralVerb(part[0])) \(part.count) items?",
                lines: who(requester) + ["Items: \(part.map(shown).joined(separator: ", "))"],
                longer: longer
            )
        }
    }

    /// Returns the permanent choice: for the program, for a script of the system that it runs, or for everything that
    /// it runs.
    static func always(_ acts: [Act], by requester: Requester, isScript: Bool) -> LongerYes {
        let isShared = requester.bus?.identity.map(SharedTools.contains) ?? false
        let name = name(of: requester)
        let who =
            isScript
            ? "every run of this script by \(name)" : isShared ? "every program that uses \(name)" : name
        return .always("\(who) may read, change and delete \(objects(acts))")
    }

    /// Returns the choice until the vault locks, for a script that others than root can change: for this tool and
    /// starter alone.
    static func session(_ acts: [Act], by requester: Requester) -> LongerYes {
        let starter = (requester.script?.starter).map { name in
            " started by a \(display.name(name, columns: hostColumns))"
        }
        let who = "every \(name(of: requester))\(starter ?? "") that says it runs this script"
        return .session("\(who) may read \(objects(acts))")
    }

    private static func objects(_ acts: [Act]) -> String {
        acts.count == 1 ? shown(acts[0]) : "these \(acts.count) items"
    }

    /// Returns the act of a program on the bus, after “Allow … to”.
    static func itemVerb(_ act: Act) -> String {
        switch act {
        case .item: "read \(shown(act))"
        case .itemChange(let operation, _): "\(changeVerb(operation)) \(shown(act))"
        case .applicationKey(_, let name):
            name.isEmpty
                ? "get a key for an application" : "get the key of the application \(display.name(name))"
        case .collection(let operation, let name):
            switch operation {
            case ItemOperation.removeCollection: "delete the collection \(display.name(name)) with its items"
            case ItemOperation.open: "open the collection \(display.name(name))"
            default: "make the collection \(display.name(name)) the default"
            }
        case .sign, .read, .use, .decide: "do something with no item"
        }
    }

    private static func pluralVerb(_ act: Act) -> String {
        if case .itemChange(let operation, _) = act { changeVerb(operation) } else { "read" }
    }

    private static func changeVerb(_ operation: String) -> String {
        switch operation {
        case ItemOperation.make: "replace"
        // One approval covers all of these for a minute, so the prompt names all.
        default: "read, change and delete"
        }
    }

    private static func shown(_ act: Act) -> String {
        let name = act.item.map { $0.label.isEmpty ? $0.id : $0.label } ?? act.subject
        return display.name(name)
    }

    private static func itemFacts(_ act: Act) -> [String] {
        guard let item = act.item else { return [] }
        let since = item.created > 0 ? " since \(day(item.created))" : ""
        let owner = item.owner.map { display.cell($0.text, columns: hostColumns) } ?? "an unknown program"
        return ["Kept by \(owner)\(since)"]
            + item.attributes.prefix(3).map { "Attribute \(display.cell($0, columns: attributeColumns))" }
    }

    private static func parts(_ acts: [Act]) -> [[Act]] {
        var parts: [[Act]] = []
        var size = 0
        for act in acts {
            let bytes = shown(act).utf8.count + 2
            if parts.isEmpty || size + bytes > maximumNames {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(act)
            size += bytes
        }
        return parts
    }
}
