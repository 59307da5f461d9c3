extension SSHConfigFragment {
    /// Where the programs and files are that ssh has to find.
    public struct Places: Hashable, Sendable {
        /// The vault's program.
        public var program: String
        /// The vault that the program opens, by name or path; nil for the one it takes by itself.
        public var vault: String?
        /// The socket of an agent that ssh asks for keys; nil leaves that to the environment.
        public var agentSocket: String?

        /// Absolute paths.
        public init(program: String, vault: String? = nil, agentSocket: String? = nil) {
            self.program = program
            self.vault = vault
            self.agentSocket = agentSocket
        }
    }

    /// A profile, and where the public half of its key lies.
    public struct Entry: Hashable, Sendable {
        /// The word after `ssh`.
        public let alias: String
        /// The profile.
        public let profile: HostProfile
        /// The path of the `.pub` file; nil leaves the choice of keys to ssh.
        public let publicKeyFile: String?
        /// The paths of the certificates of that key, the first one to be tried first.
        public let certificateFiles: [String]

        /// A profile with its name and files.
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

    /// Settings for one host, or for all of them.
    public struct Block: Hashable, Sendable {
        /// The word after `ssh`; nil where the settings are for every host.
        public let alias: String?
        /// The settings, in their order.
        public let settings: [Setting]
    }

    /// One line of a block.
    public struct Setting: Hashable, Sendable {
        /// The keyword, as ssh_config(5) writes it.
        public let keyword: String
        /// What stands after it.
        public let text: String
        /// What `ssh -G` says of it, after the keyword in lower case.
        public let meaning: String

        init(_ keyword: String, _ text: String, meaning: String? = nil) {
            self.keyword = keyword
            self.text = text
            self.meaning = meaning ?? text
        }
    }
}
