/// What keeps the records of a vault.
package enum Backend: String, Sendable {
    /// An encrypted file.
    case file
    /// The desktop's Secret Service.
    case secretService = "secret-service"

    /// As the JSON output and the tables for scripts spell it.
    package var word: String {
        switch self {
        case .file: "file"
        case .secretService: "keyring"
        }
    }
}
