import RecordStore
import Secrets
import Testing
import VaultCrypto

struct CollectionRecordTests {
    @Test func `a collection is read as it was written`() throws {
        for (id, isDefault) in [("login", false), ("Unterwegs_\u{FC}ber_Land", true)] {
            let raw = isDefault ? ["alias": Hex.encode(Array("default".utf8))] : [:]
            let record = try CollectionRecord(try info(id, "a label", raw, kind: CollectionRecord.kind))
            #expect(record.id == id)
            #expect(record.label == "a label")
            #expect(record.isDefault == isDefault)
            #expect(try record.recordAttributes().all.map(\.name) == raw.keys.sorted())
        }
    }

    @Test func `attributes that no collection has are refused`() throws {
        let word = { (text: String) in Hex.encode(Array(text.utf8)) }
        let bad = [
            ["alias": word("login")], ["alias": ""], ["name": word("default")],
            ["alias": word("default"), "name": word("x")],
        ]
        for raw in bad {
            let record = try info("c", "", raw, kind: CollectionRecord.kind)
            #expect(throws: ServiceError.badItem) { try CollectionRecord(record) }
        }
        let long = try info(String(repeating: "c", count: 201), "", [:], kind: CollectionRecord.kind)
        #expect(throws: ServiceError.badItem) { try CollectionRecord(long) }
        let item = try info("c", "", [:])
        #expect(throws: ServiceError.badItem) { try CollectionRecord(item) }
    }

    @Test(arguments: [
        ("aws-vault", "aws-vault"), ("My keyring", "My_keyring"), ("a:b/c\\d<e>f|g", "a_b_c_d_e_f_g"),
        ("", "unnamed"),
        (" ", "_"), ("\u{7}", "unnamed"), ("a\u{202E}b", "unnamed"), ("e\u{301}", "\u{E9}"),
        ("tab\there", "tab_here"),
    ]) func `an id is made from a label as GNOME Keyring makes it`(label: String, id: String) {
        let made = CollectionRecord.newID(for: label) { _ in false }
        #expect(made.map { Array($0.utf8) } == Array(id.utf8))
    }

    @Test func `an id that is taken gets a number`() {
        #expect(CollectionRecord.newID(for: "a") { $0 == "a" } == "a_1")
        #expect(CollectionRecord.newID(for: "a") { ["a", "a_1", "a_2"].contains($0) } == "a_3")
        #expect(CollectionRecord.newID(for: "a") { _ in true } == nil)
    }

    @Test func `an id of a long label is one, number and all`() throws {
        for label in [String(repeating: "l", count: 1_024), String(repeating: "\u{20AC}", count: 300)] {
            let first = try #require(CollectionRecord.newID(for: label) { _ in false })
            var tries = 0
            let last = try #require(
                CollectionRecord.newID(for: label) { _ in
                    tries += 1
                    return tries < 100
                }
            )
            #expect(CollectionRecord.isID(first))
            #expect(CollectionRecord.isID(last))
            #expect(last.hasSuffix("_99"))
        }
    }
}
