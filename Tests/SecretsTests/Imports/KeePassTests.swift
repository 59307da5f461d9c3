import Secrets
import Testing

@Suite struct `KeePass's XML` {
    private static let export = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!-- made by a test -->
        <KeePassFile><Meta><Generator>KeePassXC</Generator><DatabaseName/>
        <RecycleBinUUID>C0dTd5/3TeuK9bO8vOmnTA==</RecycleBinUUID></Meta>
        <Root><Group><UUID>a</UUID><Name>Passwords</Name>
         <Group><UUID>b</UUID><Name>Work &amp; &#x50;lay</Name>
          <Entry><UUID>x</UUID><Tags>one;two</Tags>
           <Times><CreationTime>H4qU4g4AAAA=</CreationTime><LastModificationTime>2024-01-01T00:00:00Z</LastModificationTime>
            <ExpiryTime>2030-01-01T00:00:00Z</ExpiryTime><Expires>True</Expires></Times>
           <String><Key>Notes</Key><Value>line &amp; &lt;one&gt;\r\ntwo<!-- no --></Value></String>
           <String><Key>Password</Key><Value ProtectInMemory="True">se&quot;cret<![CDATA[<&]]>&#233;</Value></String>
           <String><Key>Title</Key><Value>mail</Value></String>
           <String><Key>UserName</Key><Value>bob</Value></String>
           <String><Key>otp</Key><Value>otpauth://totp/a</Value></String>
           <String><Key>PIN</Key><Value ProtectInMemory = 'True' >12</Value></String>
           <String><Key>Empty</Key><Value/></String>
           <Binary><Key>f.txt</Key><Value Ref="0"/></Binary>
           <History><Entry><String><Key>Password</Key><Value>old</Value></String></Entry><Entry/></History>
          </Entry>
          <Group><Name>Deep</Name><Entry><String><Key>URL</Key><Value>https://u@h.org:1/x</Value></String></Entry></Group>
         </Group>
         <Group><UUID>C0dTd5/3TeuK9bO8vOmnTA==</UUID><Name>Recycle Bin</Name>
          <Group><Name>In</Name><Entry><String><Key>Title</Key><Value>gone</Value></String></Entry></Group></Group>
         <Entry><String><Key>Title</Key><Value>sealed</Value></String>
          <String><Key>Password</Key><Value Protected="True">AAAA</Value></String></Entry>
        </Group><DeletedObjects/></Root></KeePassFile>
        """

    @Test func `an entry comes with its strings, its groups, tags and times`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.format == .kdbxXML)
        let mail = document.candidates[0]
        #expect(mail.title == "mail")
        #expect(mail.folder == ["Work & Play"])
        #expect(mail.tags == ["one", "two"])
        #expect(mail.created == 1_795_330_847)
        #expect(mail.modified == 1_704_067_200)
        #expect(mail.expires == 1_893_456_000)
        #expect(mail.leftOut == [.attachments, .history])
        #expect(mail.attachments == ["f.txt"])
        #expect(
            document.fields(0) == [
                "user": "bob", "password": "se\"cret<&é", "note": "line & <one>\ntwo",
                "totp": "otpauth://totp/a",
                "own PIN": "12",
            ]
        )
        #expect(mail[.named("PIN")]?.isHidden == true)
    }

    @Test func `groups within groups are folders, and a host stands in for a title`() throws {
        let document = try Sample.read(Self.export)
        #expect(document.candidates.map(\.title) == ["mail", "h.org"])
        #expect(document.candidates[1].folder == ["Work & Play", "Deep"])
    }

    @Test func `the recycle bin and sealed values stay behind and are named`() throws {
        #expect(
            try Sample.read(Self.export).refused == [
                RefusedEntry("gone", place: 3, .inTrash), RefusedEntry("sealed", place: 4, .encrypted),
            ]
        )
    }

    @Test(arguments: [
        "<!DOCTYPE lolz [<!ENTITY lol \"lol\">]><KeePassFile/>",
        "<?xml version=\"1.0\"?><!DOCTYPE x SYSTEM \"file:///etc/passwd\"><KeePassFile/>",
        "<KeePassFile><!ENTITY a \"b\"></KeePassFile>",
    ])
    func `a document type is refused before it can define anything`(text: String) {
        #expect(throws: ImportError.documentType) { try Sample.read(text) }
    }

    @Test(arguments: [
        "<KeePassFile>", "<KeePassFile></Other>", "<KeePassFile/><KeePassFile/>", "<KeePassFile a=b/>",
        "<KeePassFile a=\"<\"/>", "<KeePassFile>&lol;</KeePassFile", "<", "<!--", "<?xml",
        "<KeePassFile><Meta><RecycleBinUUID>&lol;</RecycleBinUUID></Meta></KeePassFile>",
        "<KeePassFile><Meta><RecycleBinUUID>&#0;</RecycleBinUUID></Meta></KeePassFile>",
        "<KeePassFile><Meta><RecycleBinUUID>&#xD800;</RecycleBinUUID></Meta></KeePassFile>",
        "<KeePassFile><Meta><RecycleBinUUID><a/></RecycleBinUUID></Meta></KeePassFile>",
        "<KeePassFile a=\"1\"b=\"2\"/>",
    ])
    func `what is not well formed is refused`(text: String) {
        #expect(throws: ImportError.self) { try Sample.read(text, as: .kdbxXML) }
    }

    @Test(arguments: [
        "<UUID>&#10;&amp;\n&#10;</UUID>\n<x", "<UUID>a\r\nb</UUID>\n<x", "<UUID><![CDATA[a\r\n]]></UUID>\n<x",
        "<UUID>a<!--\n-->&amp;&amp;&amp;bcdef</UUID>\n<x", "<UUID>&amp;&amp;\n\n&amp;&lol;</UUID>",
    ])
    func `the line of an error is the line as written, whatever was decoded before it`(text: String) {
        #expect(throws: ImportError.malformed(line: 3)) {
            try Sample.read("<KeePassFile><Root><Group>" + text, as: .kdbxXML)
        }
    }

    private static let entry = "<Entry><String><Key>Password</Key><Value>p</Value></String></Entry>"

    @Test func `an entry right below the root is taken`() throws {
        let document = try Sample.read("<KeePassFile><Root>\(Self.entry)</Root></KeePassFile>")
        #expect(document.fields(0) == ["password": "p"])
    }

    @Test(arguments: [
        entry, "<Meta>\(entry)</Meta>", "<Root><Groups><Group>\(entry)</Group></Groups></Root>",
        "<Root><Group><Entries>\(entry)</Entries></Group></Root>",
        "<Root><Group><Entry><Entries>\(entry)</Entries></Entry></Group></Root>",
    ])
    func `an entry where KeePass writes none makes it another format`(text: String) {
        #expect(throws: ImportError.unknownFormat) { try Sample.read("<KeePassFile>\(text)</KeePassFile>") }
    }

    @Test func `XML of something else is refused, and so is endless nesting`() {
        #expect(throws: ImportError.unknownFormat) { try Sample.read("<html/>") }
        let group = String(repeating: "<Group>", count: 100_000)
        #expect(throws: ImportError.tooDeep) { try Sample.read("<KeePassFile><Root>" + group) }
    }
}
