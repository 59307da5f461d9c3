internal import CommandKit

extension SSHKeyShow: PlainCommand {
    /// `ssh key show NAME`.
    init?(_ words: PlainWords) {
        var words = words
        guard let name = words.value() else { return nil }
        self.init()
        self.name = name
        trash = false
        guard words.isEmpty else { return nil }
    }
}
