import Support
import Testing
import Text
import VaultLifecycle

@Suite struct VaultRecordTests {
    private let id = [UInt8](0..<16)
    private let digits = "000102030405060708090a0b0c0d0e0f"

    private func read(_ text: String) throws -> VaultRecord? {
        VaultRecord(try JSONValue(Array(text.utf8)))
    }

    private func reread(_ record: VaultRecord) throws -> VaultRecord? {
        VaultRecord(try JSONValue(try record.tree.bytes()))
    }

    @Test func `the record of a file written by an older program is read`() throws {
        let record = try #require(try read(#"{"id":"\#(digits)","path":"/v","backend":"file"}"#))
        #expect(record.id == id)
        #expect(record.storage == .file(path: "/v"))
        #expect(record.backend == .file)
        #expect(record.reason == nil)
    }

    @Test func `a record of the keyring comes back as it was written`() throws {
        var record = VaultRecord(id: id, collection: "/c/login", label: "Login", reason: .answered)
        record.lacksIdentity = true
        let again = try #require(try reread(record))
        #expect(again == record)
        #expect(again.storage == .keyring(collection: "/c/login", label: "Login"))
        #expect(again.backend == .secretService)
        #expect(again.reason == .answered)
        #expect(again.lacksIdentity)
    }

    @Test func `the backend is spelled as on the command line`() throws {
        let text = String(
            decoding: try VaultRecord(id: id, collection: "/c", label: "").tree.bytes(),
            as: UTF8.self
        )
        #expect(text.contains(#""backend":"secret-service""#))
    }

    @Test func `what a newer program chose is known to be unknown`() throws {
        let record = try #require(try read(#"{"id":"\#(digits)","backend":"tpm"}"#))
        #expect(record.storage == .unknown)
        #expect(record.backend == nil)
    }

    @Test(arguments: [
        #"{"path":"/v","backend":"file"}"#, #"{"id":"00","path":"/v","backend":"file"}"#,
        #"{"id":"000102030405060708090a0b0c0d0e0f","backend":"file"}"#,
        #"{"id":"000102030405060708090a0b0c0d0e0f","backend":"secret-service"}"#,
        #"{"id":"000102030405060708090a0b0c0d0e0f","path":"/v"}"#, #"[]"#, #""file""#,
    ]) func `what is no record is none`(_ text: String) throws {
        #expect(try read(text) == nil)
    }

    @Test func `keys of other programs stay when a record is changed or takes another's place`() throws {
        let text =
            #"{"id":"\#(digits)","path":"/v","backend":"file","kept":[{"path":"/w"}],"identity":false}"#
        var record = try #require(try read(text))
        record.lacksIdentity = false
        #expect(record.tree["kept"] == .list([["path": .text("/w")]]))
        let other = VaultRecord(id: id.reversed(), collection: "/c", label: "Login").replacing(record)
        #expect(other.tree["kept"] == record.tree["kept"])
        #expect(other.tree["path"] == nil)
        #expect(try reread(other)?.backend == .secretService)
    }
}
