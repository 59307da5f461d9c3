import Foundation
import Glibc
import Presentation
import System
import Testing
import VaultCrypto

/// One after the other: signals belong to the whole process.
@Suite(.serialized)
struct TerminalTests {
    private static let pasteStart = "\u{1B}[200~"
    private static let pasteEnd = "\u{1B}[201~"

    @Test(arguments: [
        ("Bob\r", "Bob"), ("\r", "Alice"), ("Bobb\u{7F}\r", "Bob"), ("wrong\u{15}Bob\r", "Bob"),
        ("Zoë\u{7F}e\r", "Zoe"),
        ("B\u{1B}[Dob\u{1B}OA\r", "Bob"), ("  Bob \r", "Bob"), ("Bob\n", "Bob"),
    ])
    func `a line is taken as it was typed`(keys: String, answer: String) throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.ask("Your name", default: "Alice", flag: "--name") }
        try pty.read(
            until: "Your name [\u{2068}Alice\u{2069}]: ".replacing("\u{2068}", with: "").replacing(
                "\u{2069}",
                with: ""
            )
        )
        try pty.type(keys)
        #expect(try asked.answer() == answer)
    }

    @Test func `a question is erased and the terminal is as before`() throws {
        let pty = try PseudoTerminal()
        let before = pty.mode()
        let asked = pty.asking { try $0.ask("Two lines\nName", flag: "--name") }
        try pty.read(until: "Name: ")
        #expect(pty.mode() != before)
        try pty.type("x\r")
        #expect(try asked.answer() == "x")
        #expect(pty.mode() == before)
        #expect(try pty.read(until: "\u{1B}[?2004l").contains("\r\u{1B}[K\u{1B}[A\u{1B}[K"))
    }

    @Test(arguments: [("y\r", true), ("YES\r", true), ("n\r", false), ("\r", false), ("maybe\rno\r", false)])
    func `yes has to be said`(keys: String, answer: Bool) throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.confirm("Really?") }
        for part in keys.split(separator: "\r", omittingEmptySubsequences: false).dropLast() {
            try pty.read(until: "Really? [y/N] \u{1B}[K")
            try pty.type(part + "\r")
        }
        #expect(try asked.answer() == answer)
    }

    @Test func `keys from before a confirmation do not count`() throws {
        let pty = try PseudoTerminal()
        try pty.type("y\n")
        try pty.read(until: "y\r\n")
        let asked = pty.asking { try $0.confirm("Really?") }
        try pty.read(until: "[y/N] \u{1B}[K")
        try pty.type("\r")
        #expect(try asked.answer() == false)
    }

    @Test func `a hidden answer shows nothing at all`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { terminal in
            text(try terminal.askHidden("Passphrase", flag: "--passphrase-file"))
        }
        try pty.read(until: "Passphrase: \u{1B}[K")
        try pty.type("tré\u{7F}es cher secret\r")
        #expect(try asked.answer() == "tres cher secret")
        let seen = try pty.read(until: "\u{1B}[?2004l")
        #expect(seen == "\r\u{1B}[K\u{1B}[?2004l")
    }

    @Test func `what was typed before a hidden question is thrown away`() throws {
        let pty = try PseudoTerminal()
        try pty.type("early\n")
        try pty.read(until: "early\r\n")
        let asked = pty.asking { terminal in text(try terminal.askHidden("Passphrase", flag: "-")) }
        try pty.read(until: "Passphrase: \u{1B}[K")
        try pty.type("late\r")
        #expect(try asked.answer() == "late")
    }

    @Test func `a pasted line feed never presses Enter`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.ask("Name", flag: "--name") }
        try pty.read(until: "Name: ")
        try pty.type("\(Self.pasteStart)rm -rf\r~\r\u{1B}[31m\(Self.pasteEnd)")
        let seen = try pty.read(until: "␛[31m")
        #expect(!seen.contains("\u{1B}[31m"))
        try pty.type("\r")
        #expect(try asked.answer() == "rm -rf ~ \u{1B}[31m")
    }

    @Test(arguments: [
        ("ab b a ", "abc b abc "), ("ab\r", "ab"), ("ab\u{7F}b x\r", "abc x"),
        ("\(pasteStart)ab ab\rab x\(pasteEnd)\r", "abc ab\nabc x"),
    ])
    func `a blank completes the word before it`(keys: String, answer: String) throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { terminal in
            text(
                try terminal.askWords("Words", limit: 64, flag: "-") { word in
                    word == [0x61] ? [0x62, 0x63] : word == [0x61, 0x62] ? [0x63] : []
                }
            )
        }
        try pty.read(until: "Words: \u{1B}[K")
        try pty.type(keys)
        if !keys.hasSuffix("\r") { try pty.type("\r") }
        #expect(try asked.answer() == answer)
    }

    @Test func `a hidden paste keeps one line or many`() throws {
        let pty = try PseudoTerminal()
        let paste = "\(Self.pasteStart)line one\rline two\r\n\(Self.pasteEnd)"
        let one = pty.asking { terminal in text(try terminal.askHidden("One", flag: "-")) }
        try pty.read(until: "One: ")
        try pty.type(paste)
        try pty.type("\r")
        #expect(try one.answer() == "line oneline two")
        let many = pty.asking { terminal in text(try terminal.askHiddenText("Many", flag: "-")) }
        try pty.read(until: "Many: ")
        try pty.type(paste + "\u{4}")
        #expect(try many.answer() == "line one\nline two\n")
    }

    @Test func `a text of several lines is typed, too, until Ctrl-D`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { terminal in text(try terminal.askHiddenText("Many", flag: "-")) }
        try pty.read(until: "Many: ")
        try pty.type("one\r\rtwo\r\u{4}")
        #expect(try asked.answer() == "one\n\ntwo\n")
    }

    @Test func `a wrapped code is pasted with and without the marks`() throws {
        let pty = try PseudoTerminal()
        let code = "HSIP:OFFER1QYQSZ\nQRF2KUSQ\n> PDQQZ5Q8\n"
        for keys in ["\(Self.pasteStart)\(code)\(Self.pasteEnd)\r", code.replacing("\n", with: "\r")] {
            let asked = pty.asking { try $0.askCode("Paste their answer:", flag: "CODE") }
            try pty.read(until: "answer: ")
            try pty.type(keys)
            let answer = String(decoding: try asked.answer() ?? [], as: UTF8.self)
            #expect(answer.trimmingCharacters(in: .newlines) == code.trimmingCharacters(in: .newlines))
        }
    }

    @Test func `a long paste stays on one row`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.askCode("Paste:", flag: "CODE") }
        try pty.read(until: "Paste: ")
        let long = String(repeating: "0123456789", count: 300)
        try pty.type("\(Self.pasteStart)\(long)\(Self.pasteEnd)")
        let seen = try pty.read(until: "…")
        #expect(!seen.contains("\n"))
        try pty.type("\r")
        #expect(try asked.answer() == Array(long.utf8))
    }

    @Test func `Enter alone is later`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.askCode("Paste:", flag: "CODE") }
        try pty.read(until: "Paste: ")
        try pty.type("\r")
        #expect(try asked.answer() == nil)
    }

    @Test(arguments: ["\u{3}", "abc\u{3}", "\u{1B}[200~abc", "\u{1C}"])
    func `Ctrl-C ends the question and restores the terminal`(keys: String) throws {
        let pty = try PseudoTerminal()
        let before = pty.mode()
        let asked = pty.asking { try $0.ask("Name", flag: "--name") }
        try pty.read(until: "Name: \u{1B}[K")
        try pty.type(keys)
        if keys.hasSuffix("c") {
            try pty.read(until: "abc")
            try pty.type("\u{3}")
        }
        #expect(throws: ConsoleError.interrupted(signal: SIGINT)) { try asked.answer() }
        #expect(pty.mode() == before)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `a signal restores the terminal first`(signal: Int32) throws {
        let pty = try PseudoTerminal()
        let before = pty.mode()
        let asked = pty.asking { try $0.ask("Name", flag: "--name") }
        try pty.read(until: "Name: ")
        kill(getpid(), signal)
        #expect(throws: ConsoleError.interrupted(signal: signal)) { try asked.answer() }
        #expect(pty.mode() == before)
    }

    @Test func `Ctrl-D closes the question`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.confirm("Really?") }
        try pty.read(until: "[y/N] \u{1B}[K")
        try pty.type("\u{4}")
        #expect(throws: ConsoleError.refused) { try asked.answer() }
    }

    @Test func `no one answers within the deadline`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.askCode("Paste:", seconds: 0, flag: "CODE") }
        #expect(throws: ConsoleError.timedOut(seconds: 0)) { try asked.answer() }
    }

    @Test func `two entries must be the same`() throws {
        let pty = try PseudoTerminal()
        for (second, isSame) in [("first", true), ("other", false)] {
            let asked = pty.asking { terminal in
                text(try terminal.askTwice("New passphrase", again: "Again", flag: "--passphrase-file"))
            }
            try pty.read(until: "New passphrase: \u{1B}[K")
            try pty.type("first\r")
            try pty.read(until: "Again: \u{1B}[K")
            try pty.type(second + "\r")
            if isSame {
                #expect(try asked.answer() == "first")
            } else {
                #expect(throws: ConsoleError.entriesDiffer) { try asked.answer() }
            }
        }
    }

    @Test func `a value to compare is typed in groups`() throws {
        let pty = try PseudoTerminal()
        for (typed, isSame) in [
            ("45817 85657", true), ("4581785657", true), ("45817 85658", false), ("", false),
        ] {
            let asked = pty.asking { try $0.typeIt("Number:", expected: "45817 85657") }
            try pty.read(until: "Number: \u{1B}[K")
            try pty.type(typed + "\r")
            #expect(try asked.answer() == isSame)
        }
    }

    @Test func `one of several is chosen by its number`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking { try $0.choose("Which code?", among: ["OFFER", "ANSWER"], flag: "CODE") }
        try pty.read(until: "Number: ")
        try pty.type("3\r")
        try pty.read(until: "Number: ")
        try pty.type("2\r")
        #expect(try asked.answer() == 1)
    }

    @Test func `a dumb terminal gets no sequences`() throws {
        let pty = try PseudoTerminal()
        let asked = pty.asking(ConsoleEnvironment(isDumb: true)) { terminal in
            text(try terminal.askHidden("Passphrase", flag: "-"))
        }
        let seen = try pty.read(until: "Passphrase: ")
        #expect(!seen.contains("\u{1B}"))
        try pty.type("secret\n")
        #expect(try asked.answer() == "secret")
    }

    @Test func `where no one may be asked the flag is named`() throws {
        let pty = try PseudoTerminal()
        for (isAllowed, console, device) in [
            (false, ConsoleEnvironment(), pty.device),
            (true, ConsoleEnvironment(refusesInput: true), pty.device),
            (true, ConsoleEnvironment(), "/nonexistent/tty"),
        ] {
            let terminal = Terminal(isAllowed: isAllowed, console: console, device: device)
            #expect(!terminal.isAvailable)
            #expect(throws: ConsoleError.inputNeeded(flag: "--as")) {
                try terminal.ask("Save as", flag: "--as")
            }
        }
    }
}
