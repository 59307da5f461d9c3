extension SSHConfigFragment {
    /// The paths of the programs and files that ssh needs.
    public struct Places: Hashable, Sendable {
        /// The vault's program.
        public var program: String
        /// The name or path of the vault; nil for the program's default vault.
        public var vault: String?
        /// The agent socket from which ssh requests keys; nil leaves the choice to the environment.
        public var agentSocket: String?

        /// Creates a set of absolute paths.
        public init(program: String, vault: String? = nil, agentSocket: String? = nil) {
            self.program = program
            self.vault = vault
            self.agentSocket = agentSocket
        }
    }

    /// A profile, and the path of the public half of its key.
    public struct Entry: Hashable, Sendable {
        /// The word after `ssh`.
        public let alias: String
        /// The profile.
        public let profile: HostProfile
        /// The path of the `.pub` file; nil leaves the choice of keys to ssh.
        public let publicKeyFile: String?
        /// The paths of the certificates of that key, in the order in which ssh tries them.
        public let certificateFiles: [String]

        /// Creates a profile with its name and files.
        public init(
            _ profile: HostProfile,
            alias: String,
            publicKeyFile: String? = nil,
            certificateFiles: [String] = []
        ) {
            self.alias = alias
            self.profile = profile
            self.publicKeyFile = publicKeyFile
            self.certificateFiles = certificateFiles
        }
    }

    /// The settings of one host, or of all hosts.
    public struct Block: Hashable, Sendable {
        /// The word after `ssh`; nil for the settings of every host.
        public let alias: String?
        /// The settings, in their order.
        public let settings: [Setting]
    }

    /// One line of a block.
    public struct Setting: Hashable, Sendable {
        /// The keyword, as ssh_config(5) writes it.
        public let keyword: String
        /// The value after the keyword.
        public let text: String
        /// The value that `ssh -G` prints after the keyword in lower case.
        public let meaning: String

        init(_ keyword: String, _ text: String, meaning: String? = nil) {
            self.keyword = keyword
            self.text = text
            self.meaning = meaning ?? text
        }
    }
}
