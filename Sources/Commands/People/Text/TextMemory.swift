internal import Presentation
internal import Secrets
internal import VaultKit
internal import VaultLifecycle

/// Where a text under a typed key is remembered where that is switched on: in the vault, before it leaves.
struct TextMemory {
    let vault: any VaultService
    private let context: Context

    /// The memory; nil where it is switched off, and then no vault is opened for it.
    ///
    /// With `isForgotten` this one text is left out. Throws what reading the settings or opening the vault
    /// throws.
    static func open(_ context: Context, isForgotten: Bool) async throws -> TextMemory? {
        // Without a home there is no vault either, and texts need none.
        guard !isForgotten, let place = try? context.place() else { return nil }
        let config = context.config(place)
        let isWanted = try context.explaining {
            guard try config.remembersTexts(place.key) else { return false }
            // A vault that is neither recorded nor there was given up, and its history with it.
            return try config.record(of: place.key) != nil || Path.exists(place.file)
        }
        guard isWanted else { return nil }
        do {
            return TextMemory(vault: try await context.openVault(), context: context)
        } catch {
            var failure = Failure(error)
            if failure.exitCode == ExitCode.locked.rawValue {
                failure.hint = "hsip unlock, or --no-history to leave this one out"
            }
            throw failure
        }
    }

    /// Remembers a text; one that may not be written down does not leave.
    func note(_ action: TextEntry.Action, _ text: CipherText) async throws {
        let parts = text.text.split(separator: 0x3A, maxSplits: 1)
        guard parts.count == 2, let algorithm = TextEntry.Algorithm(word: text.algorithm.rawValue) else {
            throw VaultError.text(.badEntry)
        }
        let base64 = String(decoding: parts[1], as: UTF8.self)
        let state = try await vault(Operations.noteText, try TextEntry(action, algorithm, base64: base64))
        // It was switched off elsewhere.
        if !state.isOn { try context.noteTexts(false) }
    }
}

extension Context {
    /// Writes down beside the vault whether its history is on.
    func rememberTexts(_ isOn: Bool) throws {
        let place = try place()
        try explaining { try config(place).setRemembersTexts(isOn, place.key) }
    }

    /// Remembers the setting after a completed operation; a failed write is only a warning.
    func noteTexts(_ isOn: Bool) throws {
        let place = try place()
        do throws(OpeningError) {
            try config(place).setRemembersTexts(isOn, place.key)
        } catch {
            tell(error, keptFrom: config(place))
        }
    }
}
