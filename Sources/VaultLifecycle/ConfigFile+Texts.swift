internal import JSON

extension ConfigFile {
    private static let texts = "textHistory"

    /// Whether the history of texts was on at the last look.
    ///
    /// So a person who never wanted one is not asked for the vault by a command that needs none. The vault alone says
    /// whether it is on.
    package func remembersTexts(_ key: String) throws(OpeningError) -> Bool {
        try read()[Self.texts]?[key] == .bool(true)
    }

    /// Writes down what the vault said.
    package func setRemembersTexts(_ isOn: Bool, _ key: String) throws(OpeningError) {
        guard try remembersTexts(key) != isOn else { return }
        do {
            try edit { tree in
                var texts = tree[Self.texts] ?? [:]
                texts[key] = isOn ? .bool(true) : nil
                tree[Self.texts] = texts.members.isEmpty ? nil : texts
            }
        } catch let error as OpeningError {
            throw error
        } catch {
            throw .unwritableConfig(path: path)
        }
    }
}
