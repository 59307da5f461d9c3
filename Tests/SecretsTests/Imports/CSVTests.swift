import Secrets
import Testing

@Suite struct `Tables of passwords` {
    private static let keePassXC = """
        "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
        "Passwords/Work","mail","bob","se""cret,1","https://ex.org","line & <one>
        and two","otpauth://totp/x?secret=ABC","0","2026-11-22T07:00:47Z","2024-01-01T00:00:00Z"
        "Passwords","bare","","","","","","0","2026-11-22T07:00:48Z","2026-11-22T07:00:47Z"
        """

    @Test func `KeePassXC's columns are known, and the group that all lie in is left out`() throws {
        let document = try Sample.read(Self.keePassXC)
        #expect(document.format == .keepassxcCSV)
        let mail = document.candidates[0]
        #expect(mail.title == "mail")
        #expect(mail.folder == ["Work"])
        #expect(mail.modified == 1_795_330_847)
        #expect(mail.created == 1_704_067_200)
        #expect(mail.place == 2)
        #expect(
            document.fields(0) == [
                "user": "bob", "password": "se\"cret,1", "url": "https://ex.org",
                "note": "line & <one>\nand two", "totp": "otpauth://totp/x?secret=ABC",
            ]
        )
    }

    @Test func `an entry without any value is named and not taken`() throws {
        let document = try Sample.read(Self.keePassXC)
        #expect(document.refused == [RefusedEntry("bare", place: 4, .empty)])
    }

    @Test(arguments: [
        ("name,url,username,password,note\r\nex,https://ex.org/a,u,p,n\r\n", "ex"),
        (
            "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\","
                + "\"timeLastUsed\",\"timePasswordChanged\"\n"
                + "\"https://ex.org\",\"u\",\"p\",,\"https://ex.org\",\"{1}\",\"1600000000000\",\"1\",\"1700000000000\"",
            "ex.org"
        ),
        ("Title,URL,Username,Password,Notes,OTPAuth\nex,https://ex.org,u,p,,otpauth://totp/a\n", "ex"),
        ("\u{FEFF}name,url,username,password\nex,https://ex.org,u,p\n", "ex"),
    ])
    func `the tables of browsers are known by their headers`(table: String, title: String) throws {
        let document = try Sample.read(table)
        #expect(document.format == .browserCSV)
        #expect(document.candidates.map(\.title) == [title])
        #expect(document.fields(0)["user"] == "u")
        #expect(document.fields(0)["password"] == "p")
    }

    @Test func `milliseconds of Firefox are times`() throws {
        let document = try Sample.read(
            "url,username,password,httpRealm,timePasswordChanged\nhttps://a.b,u,p,,1700000000000\n"
        )
        #expect(document.candidates[0].modified == 1_700_000_000)
    }

    @Test(arguments: [",", ";", "\t"])
    func `any table with a column of passwords is read, whatever separates its columns`(separator: String)
        throws
    {
        let rows = [["Login", "Pass", "PIN", "Labels"], ["ann", "x", "12 34", "a, b"]]
        let table = rows.map { $0.map { "\"\($0)\"" }.joined(separator: separator) }.joined(separator: "\n")
        let document = try Sample.read(table)
        #expect(document.format == .csv)
        #expect(document.fields(0) == ["user": "ann", "password": "x", "own PIN": "12 34"])
        #expect(document.candidates[0].tags == ["a", "b"])
    }

    @Test func `a row without its last empty values is whole`() throws {
        let document = try Sample.read("name,password,url,archived\na,1\nb,2,https://b.org\n\nc\n")
        #expect(document.candidates.map(\.title) == ["a", "b"])
        #expect(document.fields(0) == ["password": "1"])
        #expect(document.fields(1) == ["password": "2", "url": "https://b.org"])
        #expect(document.refused == [RefusedEntry("c", place: 5, .empty)])
    }

    @Test func `values behind the last column are kept as text, and said`() throws {
        let document = try Sample.read("name,password\na,1,two,,\"f\"\"r\"\nb,2,,\n")
        #expect(document.fields(0) == ["password": "1", "own column 3": "two", "own column 5": "f\"r"])
        #expect(document.candidates.map(\.leftOut) == [[.columns], []])
        #expect(document.refused.isEmpty)
    }

    @Test func `rows of Buttercup that are groups are the folders of the others`() throws {
        let document = try Sample.read(
            "!type,!group_id,!group_name,!group_parent,title,username,password,URL,id\n"
                + "group,g1,Main,0,,,,,\ngroup,g2,\"My \"\"own\"\"\",g1,,,,,\n"
                + "entry,g2,,,mail,bob,p,https://a.org,e1\nentry,none,,,lost,,q,,e2\n"
                + "group,g3,Loop,g4,,,,,\ngroup,g4,,g3,,,,,\nentry,g3,,,round,,r,,e3\n"
        )
        #expect(document.candidates.map(\.title) == ["mail", "lost", "round"])
        #expect(document.candidates[0].folder == ["Main", "My \"own\""])
        #expect(document.candidates[1].folder.isEmpty)
        #expect(Set(document.candidates[2].folder) == ["Loop"])
        #expect(document.refused.isEmpty)
        let early = try Sample.read("!group_id,!group_name,title,password\n1,General,a,p\n")
        #expect(early.candidates[0].folder == ["General"])
    }

    @Test(arguments: [
        ("hostname", "url"), ("domain", "url"), ("Site URL", "url"), ("Login_URLs", "url"),
        ("Label", "title"), ("Display_Name", "title"), ("nickname", "title"), ("Entry Name", "title"),
    ])
    func `headers of other programs are known for addresses and titles`(header: String, meaning: String)
        throws
    {
        let document = try Sample.read("\(header),password\na.org,p\n")
        #expect(document.candidates[0].title == "a.org")
        #expect(
            document.fields(0) == (meaning == "url" ? ["url": "a.org", "password": "p"] : ["password": "p"])
        )
    }

    @Test func `a quote that is never closed ends the reading at its line`() {
        #expect(throws: ImportError.malformed(line: 3)) {
            try Sample.read("name,password\na,1\nb,\"2\n")
        }
        #expect(throws: ImportError.malformed(line: 2)) { try Sample.read("name,password\na,\"1\"x\n") }
    }

    @Test func `the lines behind values with quotes and line feeds in them are counted as written`() throws {
        let table = "name,password\na,\"1\"\"\n\"\"\n\"\nb,\nc,\"\"\"\n\"\nd\n"
        #expect(try Sample.read(table).refused.map(\.place) == [5, 8])
        #expect(throws: ImportError.malformed(line: 5)) {
            try Sample.read("name,password\na,\"1\"\"\n\"\"\n\"\nb,\"2\n")
        }
    }

    @Test func `of two columns that say the same, the second is a field of its own name`() throws {
        let document = try Sample.read("name,password,username,Name,email,PASS\na,1,u,b,e,2\n")
        #expect(document.candidates[0].title == "a")
        #expect(
            document.fields(0) == [
                "password": "1", "user": "u", "own Name": "b", "own email": "e", "own PASS": "2",
            ]
        )
    }

    @Test func `a quote in the name of a column is one quote`() throws {
        let document = try Sample.read("name,password,\"my \"\"PIN\"\"\"\na,1,2\n")
        #expect(document.fields(0) == ["password": "1", "own my \"PIN\"": "2"])
    }

    @Test func `a table without passwords is refused`() {
        #expect(throws: ImportError.noPasswordColumn) { try Sample.read("a,b\n1,2\n", as: .csv) }
        #expect(throws: ImportError.unknownFormat) { try Sample.read("a,b\n1,2\n") }
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: ImportError.notText) { try Sample.read(Array("name,password\n".utf8) + [0xFF]) }
    }

    @Test func `notes of LastPass are notes, and its groups folders`() throws {
        let document = try Sample.read(
            "url,username,password,totp,extra,name,grouping,fav\nhttp://sn,,,,\"one\ntwo\",wifi,Work\\Home,0\n"
                + "https://a.org,u,p,,,mail,,1\n"
        )
        #expect(document.candidates.map(\.kind) == [.note, .login])
        #expect(document.fields(0) == ["note": "one\ntwo"])
        #expect(document.candidates[0].folder == ["Work", "Home"])
    }

    @Test(arguments: [
        ("\"https://a.org,https://b.org/x,y\"", ["https://a.org", "https://b.org/x,y"]),
        ("\"https://a.org, androidapp://b\"", ["https://a.org", "androidapp://b"]),
        ("\"https://a.org\nb.org\"", ["https://a.org", "b.org"]),
        ("\"https://a.org/?a,b\"", ["https://a.org/?a,b"]),
    ])
    func `several addresses of one cell stay several`(cell: String, addresses: [String]) throws {
        let document = try Sample.read("name,login_uri,login_password\na,\(cell),p\n")
        let found = document.candidates[0].fields.filter { $0.role != .password }.map { document.text($0) }
        #expect(found == addresses)
    }

    @Test func `KeePassXC's recycle bin and archived items are left out by name`() throws {
        let bin = try Sample.read(
            "Group,Title,Username,Password,URL,Notes\nRoot/Recycle Bin/x,old,,1,,\nRoot/Papierkorb,alt,,1,,\n"
                + "Root/Work/Recycle Bin,mine,,1,,\nRoot,ref,,{REF:P@I:00},,\n"
        )
        #expect(bin.candidates.map(\.title) == ["mine", "ref"])
        #expect(bin.candidates[1].leftOut == [.reference])
        #expect(
            bin.refused == [RefusedEntry("old", place: 2, .inTrash), RefusedEntry("alt", place: 3, .inTrash)]
        )
        let archived = try Sample.read("Title,Url,Username,Password,Archived\na,,,1,false\nb,,,1,true\n")
        #expect(archived.candidates.map(\.title) == ["a"])
        #expect(archived.refused == [RefusedEntry("b", place: 3, .archived)])
    }

    @Test(arguments: ["", " \n\t\r\n", "\u{FEFF}"]) func `nothing is refused as nothing`(text: String) {
        #expect(throws: ImportError.empty) { try Sample.read(text) }
        #expect(throws: ImportError.empty) { try Sample.read(text, as: .csv) }
    }
}
