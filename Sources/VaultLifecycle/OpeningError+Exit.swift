internal import Programs
internal import RecordStore

extension OpeningError {
    /// The exit code of the command line, the C library and the agent (Schemas/exit-codes.json).
    package var exitCode: Int32 {
        switch self {
        case .store(let error): error.exitCode
        case .badName, .closedDescriptor, .needlessSecret: 2
        case .unreadableConfig: 13
        case .file(let error), .secretFile(_, let error): Self.meaning(of: error).exitCode
        case .noHome, .noCurrentFolder, .unwritableConfig, .noConfigFolder, .misplaced: 12
        }
    }

    /// The name, as the JSON output spells it (Schemas/errors.json).
    package var name: String {
        switch self {
        case .store(let error): error.name
        case .badName, .closedDescriptor, .needlessSecret: "usage"
        case .unreadableConfig: "malformedInput"
        case .file(let error), .secretFile(_, let error): Self.meaning(of: error).name
        case .misplaced(.notForKeyring): "notForKeyring"
        case .noHome, .noCurrentFolder, .unwritableConfig, .noConfigFolder, .misplaced: "unavailable"
        }
    }

    /// Of the file with a passphrase, and of a person who said no.
    private static func meaning(of error: ProgramError) -> (exitCode: Int32, name: String) {
        switch error {
        case .noSuchFile: (3, "notFound")
        case .unsafeFile, .notReadable, .refused: (6, "denied")
        case .tooLarge, .notText: (13, "malformedInput")
        case .outOfMemory: (12, "outOfMemory")
        default: (12, "unavailable")
        }
    }
}
