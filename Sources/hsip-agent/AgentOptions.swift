internal import AgentKit
internal import Glibc

/// The words on the agent's command line.
struct AgentOptions: Equatable {
    /// A vault's name or path; nil for `$HSIP_VAULT` or the usual one.
    var vault: String?
    /// A descriptor to which `ready` and a line feed are written once both sockets listen; the agent then leaves
    /// the session and the terminal of the program that started it.
    var readyDescriptor: Int32?
    var limits = LockSchedule.Limits.standard
    /// Keys that ssh-add brings go into the vault.
    var storesAdded = false
    var asksForHelp = false
    var asksForVersion = false

    /// A word that is none of ours, or one that misses its value.
    struct Mistake: Error, Equatable { let word: String }

    static let help = """
        hsip-agent: keep a vault open for ssh and other programs

        USAGE
          hsip-agent [--vault NAME|PATH] [--idle SECONDS] [--longest SECONDS]
                     [--store-added] [--ready-fd N]

          --vault NAME|PATH  Serve this vault (default: $HSIP_VAULT, else vault).
          --idle SECONDS     Lock after this time without use (900).
          --longest SECONDS  Lock after this time in any case (28800).
          --store-added      Save keys from ssh-add in the vault, not only in memory.
          --ready-fd N       Write "ready" to this descriptor once the sockets listen,
                             and go on in the background.
          --version, --help

        systemd or  hsip agent start  starts the agent; hsip unlock opens its vault.
        Signals: SIGHUP locks, SIGTERM ends the agent, SIGUSR1 drops keys from ssh-add.

        """

    init(_ words: [String]) throws(Mistake) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init
            )
            let name = parts[0]
            func value() throws(Mistake) -> String {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                    throw Mistake(word: name)
                }
                return value
            }
            func number(_ range: ClosedRange<UInt64>) throws(Mistake) -> UInt64 {
                guard let number = UInt64(try value()), range.contains(number) else {
                    throw Mistake(word: name)
                }
                return number
            }
            switch name {
            case "--vault": vault = try value()
            case "--idle": limits.idle = try number(1...31_536_000) * LockSchedule.second
            case "--longest": limits.absolute = try number(1...31_536_000) * LockSchedule.second
            case "--ready-fd": readyDescriptor = Int32(try number(3...1_023))
            // Where it stays in any case; said by those who want to be sure.
            case "--foreground": break
            case "--store-added": storesAdded = true
            case "--help", "-h": asksForHelp = true
            case "--version": asksForVersion = true
            default: throw Mistake(word: name)
            }
        }
    }
}
