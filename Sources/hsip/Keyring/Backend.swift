/// What keeps the records of a vault.
enum Backend: String {
    /// An encrypted file.
    case file
    /// The desktop's Secret Service.
    case secretService = "secret-service"

    /// As the JSON output and the tables for scripts spell it.
    var word: String { "\(self)" }
}
