import Secrets
import Testing

/// Whatever comes: an answer or a typed error, never a crash, and no field outside the memory.
@Suite struct `Exports that were cut or changed` {
    private static let texts: [String] = [
        "Group,Title,Username,Password,URL,Notes\nPasswords,a,b,\"c\"\"d\",\"e\nf\",g\nPasswords,h,i,j,k,l\n",
        #"{"encrypted":false,"folders":[{"id":"a","name":"b\u00e9"}],"items":[{"type":1,"name":"x\ud83d\ude00","#
            + #""folderId":"a","login":{"username":"u","password":"p\\\"q","uris":[{"uri":"https://h"}]},"#
            + #""fields":[{"name":"n","value":"v","type":1}]}]}"#,
        "<?xml version=\"1.0\"?><KeePassFile><Meta><RecycleBinUUID>x</RecycleBinUUID></Meta><Root><Group>"
            + "<Name>a&amp;b</Name><Entry><String><Key>Password</Key><Value ProtectInMemory=\"True\">"
            + "&lt;<![CDATA[x]]>&#233;</Value></String><Times><Expires>True</Expires></Times>"
            + "<History><Entry/></History></Entry></Group></Root></KeePassFile>",
    ]

    private static let forms: [ImportFormat] = [.csv, .bitwarden, .kdbxXML]

    private func check(_ bytes: [UInt8]) {
        for format in Self.forms {
            guard let document = try? Sample.read(bytes, as: format) else { continue }
            for candidate in document.candidates {
                for field in candidate.fields {
                    let count = document.withBytes(of: field) { $0.byteCount }
                    #expect(count == field.value.count && count > 0)
                }
            }
        }
    }

    @Test(arguments: texts.indices)
    func `every cut is an answer or a typed error`(index: Int) {
        let bytes = Array(Self.texts[index].utf8)
        for count in 0..<bytes.count { check(Array(bytes[..<count])) }
    }

    @Test(arguments: texts.indices)
    func `so is every byte that was changed to one that means something`(index: Int) {
        let bytes = Array(Self.texts[index].utf8)
        for place in bytes.indices {
            for sign in "\"<&,{\\\n/".utf8 {
                var changed = bytes
                changed[place] = sign
                check(changed)
            }
        }
    }

    @Test func `a value that is over the limit is named, and the others are taken`() throws {
        let long = String(repeating: "x", count: ImportLimits.value + 1)
        let document = try Sample.read("name,password\na,\(long)\nb,1\n")
        #expect(document.refused == [RefusedEntry("a", place: 2, .tooLarge)])
        #expect(document.candidates.map(\.title) == ["b"])
    }

    @Test func `a title that is over the limit is named by its beginning`() throws {
        let document = try Sample.read("name,password\n\(String(repeating: "é", count: 400)),1\n")
        let beginning = String(repeating: "é", count: 254) + "…"
        #expect(document.refused == [RefusedEntry(beginning, place: 2, .tooLarge)])
    }

    @Test(.timeLimit(.minutes(1)))
    func `an entry with a hundred thousand addresses is refused without a search for a name for each`() throws
    {
        let list = (0..<100_000).map { #"{"uri": "\#($0)"}"# }.joined(separator: ",")
        let document = try Sample.read(
            #"{"items": [{"type": 1, "name": "a", "login": {"uris": [\#(list)]}}]}"#
        )
        #expect(document.refused == [RefusedEntry("a", place: 1, .tooLarge)])
    }

    @Test func `more columns than are read end the reading`() {
        let names = (0...ImportLimits.columns).map { "c\($0)" }.joined(separator: ",")
        #expect(throws: ImportError.self) { try Sample.read("password,\(names)\n", as: .csv) }
    }
}
