package import SSHFormats

extension SecurityKeyFault: Worded {
    package var words: Failure.Words {
        switch self {
        case .noHelper:
            (
                .helperMissing, "SSH keys in a security key need ssh-sk-helper, which is not installed",
                "apt install openssh-client"
            )
        case .answerless: (.securityKeyFailed, "ssh-sk-helper gave no signature of this key", "try again")
        case .noKey: (.noSecurityKey, "the security key of this SSH key is not plugged in", "plug it in")
        case .unfit: (.securityKeyUnfit, "this security key cannot make such a signature", "use another key")
        case .pinNeeded:
            (
                .pinNeeded, "the security key needs its PIN, and hsip can ask for it nowhere",
                "apt install pinentry-curses"
            )
        case .pinWrong:
            (
                .pinWrong, "wrong PIN; after eight wrong ones a security key locks itself for good",
                "try again"
            )
        case .untouched:
            (.touchTimeout, "nobody touched the security key, or it was unplugged", "try again")
        case .dismissed: (.promptDismissed, "the question about the security key was refused", nil)
        case .late: (.promptTimeout, "nobody typed the PIN in time", "try again")
        case .cancelled: (.cancelled, "the program that wanted the signature has gone", nil)
        case .locked: (.locked, "the vault was locked meanwhile", "hsip unlock")
        case .busy: (.securityKeyBusy, "another signature waits for a security key", "try again")
        case .otherData:
            (
                .denied, "this key is not for ssh alone, so it signs only logins and files",
                "ssh-keygen -t ed25519-sk"
            )
        case .exhausted: (.outOfMemory, "the data is too long, or the agent has too little memory", nil)
        case .failed(let code):
            (.securityKeyFailed, "the security key failed (OpenSSH's code \(code))", "try again")
        }
    }
}
