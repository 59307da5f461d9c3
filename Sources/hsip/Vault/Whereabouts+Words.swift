internal import VaultLifecycle

extension Whereabouts {
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
