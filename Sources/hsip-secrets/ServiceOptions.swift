/// The words on the command line.
struct ServiceOptions: Equatable {
    /// A vault's name or path; nil for `$HSIP_VAULT` or the usual one.
    var vault: String?
    var asksForHelp = false
    var asksForVersion = false

    /// A word that is none of ours, or one that misses its value.
    struct Mistake: Error, Equatable { let word: String }

    static let help = """
        hsip-secrets: let programs use the vault as the desktop's keyring

        USAGE
          hsip-secrets [--vault NAME|PATH]

          --vault NAME|PATH  Serve this vault (default: $HSIP_VAULT, else vault).
          --version, --help

        hsip-secrets gets the name org.freedesktop.secrets on the session bus. It asks
        the vault's agent, and starts the agent if none runs. The agent decides, asks
        you and writes the log. SIGTERM ends hsip-secrets.

        """

    init(_ words: [String]) throws(Mistake) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init
            )
            switch parts[0] {
            case "--vault":
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                    throw Mistake(word: word)
                }
                vault = value
            case "--help", "-h": asksForHelp = true
            case "--version": asksForVersion = true
            default: throw Mistake(word: word)
            }
        }
    }
}
