internal import VaultLifecycle

extension HostEnvironment {
    /// `in this SSH login`; nothing where there is nothing to say.
    var words: String? {
        switch self {
        case .ssh: "in this SSH login"
        case .container: "in this container"
        case .wsl: "in WSL"
        case .plain: nil
        }
    }
}
