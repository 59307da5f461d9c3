/// The words on the command line.
struct ServiceOptions: Equatable {
    /// A vault's name or path; nil for `$HSIP_VAULT` or the usual one.
    var vault: String?
    /// A descriptor to which `ready` and a line feed are written once the bus has its name.
    var readyDescriptor: Int32?
    var asksForHelp = false
    var asksForVersion = false

    /// A word that is none of ours, or one that misses its value.
    struct Mistake: Error, Equatable { let word: String }

    static let help = """
        hsip-secrets: let programs use the vault as the desktop's keyring

        USAGE
          hsip-secrets [--vault NAME|PATH] [--ready-fd N]

          --vault NAME|PATH  Serve this vault (default: $HSIP_VAULT, else vault).
          --ready-fd N       Write "ready" to this descriptor once programs are served,
                             and go on in the background.
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
            func value() throws(Mistake) -> String {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                    throw Mistake(word: word)
                }
                return value
            }
            switch parts[0] {
            case "--vault": vault = try value()
            case "--ready-fd":
                guard let number = Int32(try value()), (3...1_023).contains(number) else {
                    throw Mistake(word: word)
                }
                readyDescriptor = number
            case "--help", "-h": asksForHelp = true
            case "--version": asksForVersion = true
            default: throw Mistake(word: word)
            }
        }
    }
}
