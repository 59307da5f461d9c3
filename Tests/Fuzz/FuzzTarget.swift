import RecordStore
import Secrets

/// A form that is fed with hostile bytes, by its name on the command line of `Scripts/fuzz`.
///
/// Each is one function that takes any bytes. Crashing, hanging and allocating without bounds are for the fuzzer
/// to notice; what it cannot see, a promise that does not hold, is said in words.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The bytes within a key file of OpenSSH, without a passphrase.
    case keyFile = "key-file"
    /// The same with a passphrase; every attempt costs a round of bcrypt.
    case encryptedKeyFile = "encrypted-key-file"
    /// The text of a key file.
    case keyText = "key-text"
    /// The message with which a program hands a key to an agent.
    case agentKey = "agent-key"
    /// What arrives on a connection to an agent, after a byte that says in which pieces.
    case agentConnection = "agent-connection"
    /// A public key and what it is asked to sign.
    case signedData = "signed-data"
    /// The bytes of a public key.
    case publicKey = "public-key"
    /// A public key in one line, or in the lines of RFC 4716.
    case publicText = "public-text"
    /// The bytes of a certificate.
    case certificate
    /// A known_hosts file.
    case knownHosts = "known-hosts"
    /// Names of hosts, patterns, fingerprints and profiles, one in a line.
    case names
    /// The bytes of an SSHSIG.
    case signature
    /// The text of an SSHSIG.
    case signatureText = "signature-text"
    /// A file of allowed_signers.
    case allowedSigners = "allowed-signers"
    /// The content of a key's record.
    case keyRecord = "key-record"
    /// The content of a host profile's record.
    case hostRecord = "host-record"
    /// The contents of two records of known hosts: the head, and lines.
    case hostKeys = "host-keys"
    /// A known_hosts file that is taken into the vault.
    case hostImport = "host-import"
    /// A table of passwords.
    case importTable = "import-table"
    /// XML of KeePass.
    case importKeePass = "import-keepass"
    /// JSON of Bitwarden.
    case importBitwarden = "import-bitwarden"
    /// JSON of 1Password.
    case importOnePassword = "import-one-password"
    /// JSON of Proton Pass.
    case importProtonPass = "import-proton-pass"
    /// Any JSON.
    case json
    /// What a message between our programs is made of, or the arguments of a call.
    case callValue = "call-value"
    /// A file of variables.
    case variableFile = "variable-file"
    /// A secret as a text that was edited.
    case secretText = "secret-text"
    /// A file of pass, decrypted.
    case importPass = "import-pass"
    /// A key of one-time passwords: an `otpauth:` address, or base32.
    case oneTimeKey = "one-time-key"
    /// An export of a vault, under a key that is known.
    case exportFile = "export-file"
    /// What an export of a vault holds, once it is open.
    case exportContent = "export-content"
    /// The content of a secret's record.
    case secretRecord = "secret-record"
    /// A file for a contact.
    case fileContainer = "file-container"
    /// A share of a secret, in words.
    case shareText = "share-text"
    /// What a parcel holds.
    case parcelContent = "parcel-content"
    /// A text with parcels in it.
    case parcelText = "parcel-text"
    /// The record of a program's secret: its id, its attributes, its content.
    case itemRecord = "item-record"
    /// A text with a code between machines in it, or the bytes of one.
    case machineCode = "machine-code"
    /// A text with codes between people in it, or the bytes of one.
    case exchangeCode = "exchange-code"
    /// The content of a record about people, after a byte that says of which kind.
    case peopleRecord = "people-record"
    /// The parameters of a slot of hardware, after a byte that says which.
    case slotParameters = "slot-parameters"
    /// The text of a key file that opens a vault.
    case unlockFile = "unlock-file"
    /// What hsip-hardware is asked.
    case hardwareRequest = "hardware-request"
    /// What hsip-hardware answers.
    case hardwareAnswer = "hardware-answer"

    /// Feeds it; what was promised and is not so, or nil.
    public func brokenPromise(_ bytes: [UInt8]) -> String? {
        switch self {
        case .keyFile: Self.keyFile(bytes)
        case .encryptedKeyFile: Self.encryptedKeyFile(bytes)
        case .keyText: Self.keyText(bytes)
        case .agentKey: Self.agentKey(bytes)
        case .agentConnection: Self.agentConnection(bytes)
        case .signedData: Self.signedData(bytes)
        case .publicKey: Self.publicKey(bytes)
        case .publicText: Self.publicText(bytes)
        case .certificate: Self.certificate(bytes)
        case .knownHosts: Self.knownHosts(bytes)
        case .names: Self.names(bytes)
        case .signature: Self.signature(bytes)
        case .signatureText: Self.signatureText(bytes)
        case .allowedSigners: Self.allowedSigners(bytes)
        case .keyRecord: Self.keyRecord(bytes)
        case .hostRecord: Self.hostRecord(bytes)
        case .hostKeys: Self.hostKeys(bytes)
        case .hostImport: Self.hostImport(bytes)
        case .importTable: Self.importText(bytes, as: .csv)
        case .importKeePass: Self.importText(bytes, as: .kdbxXML)
        case .importBitwarden: Self.importText(bytes, as: .bitwarden)
        case .importOnePassword: Self.importText(bytes, as: .onePassword)
        case .importProtonPass: Self.importText(bytes, as: .protonPass)
        case .json: Self.json(bytes)
        case .callValue: Self.callValue(bytes)
        case .variableFile: Self.variableFile(bytes)
        case .secretText: Self.secretText(bytes)
        case .importPass: Self.importPass(bytes)
        case .oneTimeKey: Self.oneTimeKey(bytes)
        case .exportFile: Self.exportFile(bytes)
        case .exportContent: Self.exportContent(bytes)
        case .secretRecord: Self.secretRecord(bytes)
        case .fileContainer: Self.fileContainer(bytes)
        case .shareText: Self.shareText(bytes)
        case .parcelContent: Self.parcelContent(bytes)
        case .parcelText: Self.parcelText(bytes)
        case .itemRecord: Self.itemRecord(bytes)
        case .machineCode: Self.machineCode(bytes)
        case .exchangeCode: Self.exchangeCode(bytes)
        case .peopleRecord: Self.peopleRecord(bytes)
        case .slotParameters: Self.slotParameters(bytes)
        case .unlockFile: Self.unlockFile(bytes)
        case .hardwareRequest: Self.hardware(bytes) { try HardwareRequest($0)?.encoded() }
        case .hardwareAnswer: Self.hardware(bytes) { try HardwareAnswer($0)?.encoded() }
        }
    }
}
