import RecordStore
import SharedLog
import Testing
import VaultCrypto

@testable import VaultKit

/// What a machine keeps to log in where its log is.
extension MachineTests {
    private func login(_ password: String?) throws -> LogLogin {
        var login = LogLogin(address: "https://a:2379/hsip")
        login.authority = "-----BEGIN CERTIFICATE-----\n"
        (login.certificate, login.key, login.user) = ("/etc/me.pem", "/etc/me.key", "laptop")
        login.password = try password.map { try Secret(copying: Array($0.utf8)) }
        return login
    }

    private func text(_ login: LogLogin?) -> [String?] {
        [
            login?.address, login?.authority, login?.certificate, login?.key, login?.user,
            login?.password?.withBytes { String(decoding: $0.copied(), as: UTF8.self) },
        ]
    }

    @Test(arguments: ["word", nil])
    func `a login is kept until the log is forgotten, and no entry has it`(password: String?) async throws {
        let line = Line()
        let laptop = Machine("laptop")
        let login = try login(password)
        await refuses(.noLog) { let _: Nothing = try await laptop.vault(Operations.setLogin, login) }
        #expect(try await laptop.vault(Operations.logLogin) == nil)
        let founded = try await founded(line)
        let _: Nothing = try await founded.vault(Operations.setLogin, login)
        #expect(text(try await founded.vault(Operations.logLogin)) == text(login))
        let count = line.entries.count
        try await founded.sync(line)
        #expect(line.entries.count == count)
        let changed = try self.login("another")
        let _: Nothing = try await founded.vault(Operations.setLogin, changed)
        #expect(text(try await founded.vault(Operations.logLogin)) == text(changed))
        let _: Nothing = try await founded.vault(Operations.forgetLog)
        #expect(try await founded.vault(Operations.logLogin) == nil)
    }

    @Test func `a login that is cut, or goes on, is refused`() throws {
        let content = try login("word").content()
        #expect(text(try LogLogin(content: content)) == text(try login("word")))
        for count in 0..<content.count {
            #expect(throws: LogError.self) { try LogLogin(content: try content.part(0..<count)) }
        }
        let longer = Secret(try SecretBytes.joined([content, [0] as [UInt8]]))
        #expect(throws: LogError(.logTampered)) { try LogLogin(content: longer) }
        var large = try login("word")
        large.user = String(repeating: "x", count: 5_000)
        #expect(throws: LogError(.malformed)) { try large.content() }
    }
}
