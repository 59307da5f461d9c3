/// Why a security key signed nothing for ssh.
public enum SecurityKeyFault: Error, Hashable, Sendable {
    /// OpenSSH's `ssh-sk-helper` is not installed.
    case noHelper
    /// `ssh-sk-helper` ended without an answer, or answered with something else than this key's signature over the data.
    case answerless
    /// The security key is not plugged in.
    case noKey
    /// The security key cannot sign so.
    case unfit
    /// The security key needs its PIN, and nobody could be asked.
    case pinNeeded
    /// The PIN is wrong.
    case pinWrong
    /// Nobody touched the security key in time.
    case untouched
    /// The person closed the question.
    case dismissed
    /// The person did not type the PIN in time.
    case late
    /// The program that wanted the signature has gone.
    case cancelled
    /// The vault was locked meanwhile, or the key was removed from the agent.
    case locked
    /// Another signature waited too long for a security key.
    case busy
    /// The key is not for ssh alone, and the data is neither a login nor a file.
    case otherData
    /// The data is longer than a security key signs, or there is not enough memory.
    case exhausted
    /// Anything else, with the number of OpenSSH.
    case failed(code: UInt32)
}
