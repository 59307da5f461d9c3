internal import Presentation
internal import Secrets
internal import VaultKit
internal import VaultLifecycle

/// Records a text under a typed key in the vault before the text is printed, if the history is on.
struct TextMemory {
    let vault: any VaultService
    private let context: Context

    /// Opens the history; nil if it is off, and then the vault is not opened.
    ///
    /// With `isForgotten`, this text is not recorded. Throws the errors of reading the settings or opening the
    /// vault.
    static func open(_ context: Context, isForgotten: Bool) async throws -> TextMemory? {
        // A user without a home does not have a vault, and texts do not need one.
        guard !isForgotten, let place = try? context.place() else { return nil }
        let config = context.config(place)
        let isWanted = try context.explaining {
            guard try config.remembersTexts(place.key) else { return false }
            // If the vault is neither recorded nor on disk, it was given up together with its history.
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

    /// Records a text; if that fails, the text must not be printed.
    func note(_ action: TextEntry.Action, _ text: CipherText) async throws {
        let parts = text.text.split(separator: 0x3A, maxSplits: 1)
        guard parts.count == 2, let algorithm = TextEntry.Algorithm(word: text.algorithm.rawValue) else {
            throw VaultError.text(.badEntry)
        }
        let base64 = String(decoding: parts[1], as: UTF8.self)
        let state = try await vault(Operations.noteText, try TextEntry(action, algorithm, base64: base64))
        // Another command switched the history off.
        if !state.isOn { try context.noteTexts(false) }
    }
}

extension Context {
    /// Records beside the vault whether its history is on.
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
