internal import RecordStore
public import SharedLog

extension Vault {
    /// This machine's login to the servers that keep its log; nil if none was set.
    public func logLogin() throws(VaultError) -> LogLogin? {
        try reading { reader in
            try reader.find(try StoredLog.loginID).map { try LogLogin(content: $0.body) }
        }
    }

    /// Keeps how this machine logs in from now on; `forgetLog` erases it.
    ///
    /// - Throws: `noLog`; `malformed` for something that is too long.
    public func setLogin(_ login: LogLogin) throws(VaultError) {
        try log { transaction in
            guard transaction.log != nil else { throw LogError(.noLog) }
            transaction.login = login
        }
    }
}

extension StoredLog {
    /// The record of the login.
    static var loginID: RecordID {
        get throws(StoreError) { try RecordID(Kind.login.rawValue, "self") }
    }
}
