import Presentation
import Testing
import Text

struct TableTests {
    private static func sessions() -> Table {
        var table = Table([
            Column("contact"), Column("state"), Column("sent", .right), Column("read", .right),
            Column("ends"),
            Column("verified"),
        ])
        table.add([
            Cell("bob"), Cell("rekey soon", value: "rekeySoon", tone: .soon), Cell("950/1000"), Cell("731"),
            Cell("in 2 days", value: "2026-11-22T18:04:00Z"), Cell("yes", tone: .good),
        ])
        table.add([
            Cell("eve"), Cell("expired"), Cell("3/1000"), Cell("9"), Cell("4 days ago"), Cell("SUSPICIOUS"),
        ])
        return table
    }

    @Test func `columns stand under their headings`() {
        #expect(
            Self.sessions().rendered(width: 80) == """
                CONTACT  STATE           SENT  READ  ENDS        VERIFIED
                bob      rekey soon  950/1000   731  in 2 days   yes
                eve      expired       3/1000     9  4 days ago  SUSPICIOUS

                """
        )
    }

    @Test func `scripts get full values without a heading`() {
        #expect(
            Self.sessions().separated()
                == "bob\trekeySoon\t950/1000\t731\t2026-11-22T18:04:00Z\tyes\neve\texpired\t3/1000\t9\t4 days ago\tSUSPICIOUS\n"
        )
    }

    @Test(arguments: [
        ("a\tb", "a\\tb"), ("a\nb", "a\\nb"), ("a\\b", "a\\\\b"), ("a\\nb", "a\\\\nb"), ("\u{1B}", "\u{1B}"),
    ])
    func `a value cannot break its line`(value: String, escaped: String) {
        #expect(Table.escaped(value) == escaped)
    }

    @Test(arguments: [60, 61, 70, 80, 100])
    func `no line is wider than the window`(width: Int) {
        var table = Table([Column("name"), Column("address"), Column("fingerprint"), Column("note")])
        table.add([
            Cell("db1"), Cell("a-long-host-name.of-a-long-domain.example.org"),
            Cell("SHA256:8kq2mUe0sZV5bE0n4T2hJw0cYx1m3yq9bF7aLr5Q6dI"), Cell("山田山田山田山田山田山田山田"),
        ])
        for line in table.rendered(width: width).split(separator: "\n") {
            #expect(TextWidth.of(String(line)) <= width)
        }
    }

    @Test func `cut cells keep both ends and the first column is whole`() {
        let long = "a-name-that-is-longer-than-half-of-the-window"
        var table = Table([Column("name"), Column("path")])
        table.add([Cell(long), Cell("/home/alice/.local/share/hsip/vault.hsipvault")])
        let line = table.rendered(width: 60).split(separator: "\n")[1]
        #expect(line.hasPrefix(long + "  /home"))
        #expect(line.hasSuffix("vault"))
        #expect(line.contains("…"))
    }

    @Test func `a command is whole, and the text beside it goes on in the next line`() {
        var table = Table([
            Column("needs you"), Column("what", .left, .wrapped), Column("do", .left, .whole),
        ])
        table.add([
            Cell("this vault"), Cell("the full recovery code was never tested"),
            Cell("hsip vault slot test recovery"),
        ])
        #expect(
            table.rendered(width: 60) == """
                NEEDS YOU   WHAT               DO
                this vault  the full recovery  hsip vault slot test recovery
                            code was never
                            tested

                """
        )
    }

    @Test func `columns that can be spared are left out before anything whole is cut`() {
        var table = Table([
            Column("key"), Column("fingerprint", .left, .whole), Column("use", .left, .whole, spare: 1),
            Column("comment", spare: 2),
        ])
        let fingerprint = "SHA256:8kq2mUe0sZV5bE0n4T2hJw0cYx1m3yq9bF7aLr5Q6dI"
        table.add([Cell("work"), Cell(fingerprint), Cell("login"), Cell("alice@example.org")])
        let wide = table.rendered(width: 100)
        #expect(wide.contains("USE") && wide.contains("COMMENT"))
        let narrower = table.rendered(width: 66)
        #expect(narrower.contains("USE") && !narrower.contains("COMMENT") && narrower.contains(fingerprint))
        #expect(!table.rendered(width: 60).contains("USE"))
    }

    @Test func `a table that cannot be narrow enough is a list`() {
        var table = Table([Column("host"), Column("fingerprint", .left, .whole)])
        table.add([Cell("a-host-with-a-long-name.example.org"), Cell(String(repeating: "f", count: 50))])
        #expect(table.rendered(width: 60) == table.listed())
        #expect(table.rendered(width: 100) != table.listed())
    }

    @Test func `a narrow window still gets sixty columns`() {
        #expect(Self.sessions().rendered(width: 10) == Self.sessions().rendered(width: 60))
    }

    @Test func `colours do not move the columns`() {
        let painted = Self.sessions().rendered(width: 80, style: Style(isOn: true))
        #expect(painted.contains("\u{1B}[33mrekey soon\u{1B}[0m  950/1000"))
        #expect(painted.hasPrefix("\u{1B}[1mCONTACT\u{1B}[0m  "))
    }

    @Test func `a peer's text is tame on a terminal and exact in a pipe`() {
        var table = Table([Column("name")])
        table.add([Cell(peer: "x\u{1B}[2J", Display(isUTF8: true))])
        #expect(table.rendered(width: 80).contains("x␛[2J"))
        #expect(table.separated() == "x\u{1B}[2J\n")
    }

    @Test func `an empty table says nothing`() {
        #expect(Table([Column("name")]).rendered(width: 80).isEmpty)
        #expect(Table([Column("name")]).separated().isEmpty)
    }

    @Test func `a row can be read aloud`() {
        #expect(Self.sessions().listed().hasPrefix("contact: bob\nstate: rekey soon\nsent: 950/1000\n"))
    }
}
