/// What became, or would become, of an export that was taken into a vault.
public struct VaultBundleOutcome: Sendable, Hashable, Codable {
    /// What became of an SSH key or a host profile.
    public struct Part: Sendable, Hashable, Codable {
        /// What was done.
        public enum Act: String, Sendable, Hashable, Codable {
            /// It is in the vault under its own name.
            case added
            /// It is in the vault under another name, because its own was taken.
            case renamed
            /// A key has the name of another one, which is kept as retired under another name; a profile that was there
            /// says now what this one says.
            case updated
            /// It was in the trash and is out of it.
            case restored
            /// It was there before.
            case known
            /// Its name is taken by another one, so it was left out.
            case nameTaken
        }

        /// The name that it came with.
        public let given: String
        /// The name that it has in the vault.
        public let name: String
        /// What was done.
        public let act: Act

        /// Whether something is in the vault now because of this import.
        public var isStored: Bool { [.added, .renamed, .updated, .restored].contains(act) }
    }

    /// Of each secret, in their order.
    public internal(set) var secrets: [CredentialImportOutcome] = []
    /// Of each SSH key.
    public internal(set) var keys: [Part] = []
    /// Of each host profile.
    public internal(set) var hosts: [Part] = []
    /// Lines of known hosts that are new.
    public internal(set) var knownHosts = 0
    /// Lines that say another key than the vault does, and were left out.
    public internal(set) var conflicts = 0
}
