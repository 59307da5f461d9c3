import Testing
import Text

struct LineWrapTests {
    @Test func `lines are broken between words`() {
        #expect(
            LineWrap.lines("the vault is kept in an encrypted file", to: 20)
                == ["the vault is kept in", "an encrypted file"]
        )
        #expect(LineWrap.lines("  two  words", to: 8, indent: 2) == ["  two", "    words"])
        #expect(LineWrap.lines("one\n\ntwo words", to: 4) == ["one", "", "two", "words"])
        #expect(
            LineWrap.lines("it breaks; hsip status lists it", to: 16, keepsCommands: false)
                == ["it breaks; hsip", "status lists it"]
        )
    }

    @Test func `a command stays in one piece up to its mark or two spaces`() {
        #expect(
            LineWrap.lines("not verified yet: hsip verify 'a b'  shows both", to: 24)
                == ["not verified yet:", "hsip verify 'a b'  shows", "both"]
        )
        #expect(
            LineWrap.lines("run hsip doctor --fix, then wait a while", to: 22)
                == ["run hsip doctor --fix,", "then wait a while"]
        )
    }

    @Test func `what is wider than the window is left to the terminal`() {
        #expect(LineWrap.lines("code HSIP:OFFER1QQQQQQQQ", to: 10) == ["code", "HSIP:OFFER1QQQQQQQQ"])
    }

    @Test func `colours take no room`() {
        let painted = "\u{1B}[33mone two\u{1B}[0m three"
        #expect(LineWrap.width(of: painted) == 13)
        #expect(LineWrap.lines(painted, to: 13) == [painted])
    }

    @Test func `wide letters take two columns`() {
        #expect(LineWrap.lines("山田 山田", to: 8) == ["山田", "山田"])
    }
}
