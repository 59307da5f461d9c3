internal import HSIP
public import SharedLog
public import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// The operations on the log that several machines share; only hsip may call them.
    static var machineOperations: [any AnyOperation] {
        [
            logState, takeLog, giveLog, foundLog, joinLog, admitMachine, admission, enterLog, revokeMachine,
            leaveLog, forgetLog, conflicts, settle, logLogin, setLogin,
            addPaper, recoverLog,
        ]
    }

    /// Returns the state of the shared log; nil if the vault has no shared log.
    public static let logState = Operation.look("log.state") {
        (vault: isolated Vault, _: Caller) in try vault.logState()
    }
    /// Accepts entries of the log.
    public static let takeLog = Operation("log.take", .change, isForHsip: true, audit: .change) {
        (vault: isolated Vault, _: Caller, page: LogIntake) in try vault.takeLog(page)
    }
    /// Returns the entries that wait to be sent, after adding entries for changed records.
    public static let giveLog = Operation("log.give", .change, isForHsip: true, audit: nil) {
        (vault: isolated Vault, _: Caller) in try vault.giveLog()
    }
    /// Returns this machine's login to the servers of the log, with the password; nil if none was set.
    public static let logLogin = Operation(
        "log.login",
        .use("log in to the servers of the shared log"),
        isForHsip: true,
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller) in try vault.logLogin()
    }
    /// Stores this machine's login to the servers of the log.
    public static let setLogin = Operation("log.set-login", .change, isForHsip: true, audit: .change) {
        (vault: isolated Vault, _: Caller, login: LogLogin) -> Nothing in
        try vault.setLogin(login)
        return Nothing()
    }
    /// Makes a shared log; its first entries wait to be sent.
    public static let foundLog = Operation(
        "machine.found",
        .decidesLater("share the secrets of the vault with the machines of a new log"),
        isForHsip: true,
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, name: String, address: LogAddress) in
        try vault.foundLog(name, at: address)
    }
    /// Makes the keys of a machine that wants to join a log, and its JOIN code.
    public static let joinLog = Operation("machine.join", .change, isForHsip: true, audit: .change) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.joinLog(name)
    }
    /// Adds the machine of a JOIN code; the entry waits to be sent.
    public static let admitMachine = Operation(
        "machine.admit",
        .decidesLater("add the machine %1 to the machines that share the vault"),
        isForHsip: true,
        subjects: { join, _, _ in .named(join.machineName) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, join: [UInt8], number: String, isReader: Bool)
            -> Nothing in
        try vault.admit(join, number, isReader: isReader)
        return Nothing()
    }
    /// Makes the ADMIT code for a machine that was added by its JOIN code.
    public static let admission = Operation(
        "machine.admission",
        .use("use the key of the shared log"),
        isForHsip: true,
        subjects: { join in .named(join.machineName) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, join: [UInt8]) in try vault.admission(join)
    }
    /// Accepts an ADMIT code; the first sync reads the log and shares the records of this vault.
    public static let enterLog = Operation(
        "machine.enter",
        .decidesLater("share the secrets of the vault with the machines of a log"),
        isForHsip: true,
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, admit: [UInt8], number: String) in
        try vault.enterLog(admit, number)
    }
    /// Adds a machine whose keys are made from a recovery code; the entries wait to be sent.
    public static let addPaper = Operation(
        "machine.paper",
        .decidesLater("add the machine %1, a recovery code, to the machines that share the vault"),
        isForHsip: true,
        subjects: { _, name in .named(name) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, code: Secret, name: String) in
        try vault.addPaper(code, name)
    }
    /// Admits this machine to a log by a recovery code.
    public static let recoverLog = Operation(
        "machine.recover",
        .decidesLater("share the secrets of the vault with the machines of a log"),
        isForHsip: true,
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, recovery: LogRecovery) in
        try vault.recoverLog(recovery)
    }
    /// Removes a machine from the log; the entries wait to be sent.
    public static let revokeMachine = Operation(
        "machine.revoke",
        .decidesLater("remove the machine %1 from the machines that share the vault"),
        isForHsip: true,
        subjects: { name, _ in .named(name) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, name: String, reason: UInt8) -> Nothing in
        try vault.revokeMachine(name, reason: reason)
        return Nothing()
    }
    /// Writes that this machine leaves the log; the entry waits to be sent.
    public static let leaveLog = Operation("machine.leave", .change, isForHsip: true, audit: .change) {
        (vault: isolated Vault, _: Caller) -> Nothing in
        try vault.leaveLog()
        return Nothing()
    }
    /// Lists the conflicts that nobody has settled.
    public static let conflicts = Operation.look("log.conflicts") {
        (vault: isolated Vault, _: Caller) in try vault.conflicts()
    }
    /// Settles the conflicts about a name.
    public static let settle = Operation(
        "log.settle",
        .decidesLater("settle what two machines did with %1"),
        isForHsip: true,
        subjects: { name, _ in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String, choice: ConflictChoice) in
        try vault.settle(name, choice)
    }
    /// Erases everything that the vault knows about its log; records stay.
    public static let forgetLog = Operation("machine.forget", .change, isForHsip: true, audit: .change) {
        (vault: isolated Vault, _: Caller) -> Nothing in
        try vault.forgetLog()
        return Nothing()
    }
}

extension [UInt8] {
    /// The name in a JOIN code; nil for any other bytes.
    fileprivate var machineName: String? { (try? JoinCode(bytes: self))?.name }
}
