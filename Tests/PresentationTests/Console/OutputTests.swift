import Foundation
import Glibc
import Presentation
import System
import Testing

struct OutputTests {
    /// Runs with both streams in files and gives back what came.
    private static func capture(
        _ command: String,
        _ mode: Output.Mode = [],
        terminal: Bool = false,
        _ body: (Output) throws -> Void
    ) throws -> (out: String, err: String) {
        try Fixtures.inFolder { folder in
            let paths = ["\(folder)/out", "\(folder)/err"]
            let files = paths.map { Fixtures.open($0) }
            let around = ConsoleEnvironment(outputIsTerminal: terminal, errorIsTerminal: terminal)
            try body(Output(command: command, mode: mode, console: around, out: files[0], err: files[1]))
            files.forEach { close($0.number) }
            let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
            return (texts[0], texts[1])
        }
    }

    private static func success(_ output: Output) throws {
        try output.line("🔒AXv")
        output.warn(
            Warning(
                "rekeySoon",
                "50 messages left for bob",
                hint: "hsip pair bob",
                fields: ["remaining": 50]
            )
        )
        output.note("nothing else")
        output.step("sealed")
        try output.succeed(["message": "🔒AXv", "contact": "bob"])
    }

    @Test func `data goes to stdout and talk to stderr`() throws {
        let (out, err) = try Self.capture("encrypt", [], Self.success)
        #expect(out == "🔒AXv\n")
        #expect(
            err == """
                hsip: warning: 50 messages left for bob
                hsip: hint: hsip pair bob
                hsip: note: nothing else

                """
        )
    }

    @Test func `quiet drops the talk and keeps errors`() throws {
        let (out, err) = try Self.capture("encrypt", .quiet) { output in
            try Self.success(output)
            #expect(
                output.fail(Failure(.unknownContact, "no contact bob", hint: "x"))
                    == 3
            )
        }
        #expect(out == "🔒AXv\n")
        #expect(err == "hsip: error: no contact bob\n")
    }

    @Test func `verbose adds steps`() throws {
        let (_, err) = try Self.capture("encrypt", .verbose, Self.success)
        #expect(err.hasSuffix("hsip: sealed\n"))
    }

    @Test func `JSON success is one object and stderr stays empty`() throws {
        let (out, err) = try Self.capture("encrypt", .json, Self.success)
        #expect(
            out
                == #"{"hsip":1,"command":"encrypt","ok":true,"data":{"message":"🔒AXv","contact":"bob"},"warnings":[{"code":"rekeySoon","remaining":50}]}"#
                + "\n"
        )
        #expect(err.isEmpty)
    }

    @Test func `JSON failure is one object and stderr stays empty`() throws {
        let (out, err) = try Self.capture("encrypt", [.json, .verbose]) { output in
            let failure = Failure(
                .rekeyRequired,
                "no message left",
                hint: "hsip pair bob",
                details: ["code": "HSIP:ROTATE1…"]
            )
            #expect(output.fail(failure) == 9)
        }
        #expect(
            out
                == #"{"hsip":1,"command":"encrypt","ok":false,"error":{"code":"rekeyRequired","exit":9,"message":"no message left","hint":"hsip pair bob","details":{"code":"HSIP:ROTATE1…"}},"warnings":[]}"#
                + "\n"
        )
        #expect(err.isEmpty)
    }

    @Test func `a full disk is an error`() throws {
        let full = Fixtures.open("/dev/full")
        defer { close(full.number) }
        let output = Output(command: "pair", console: ConsoleEnvironment(), out: full)
        #expect(throws: ConsoleError.diskFull) { try output.line("x") }
    }

    @Test func `a reader that has gone is told nothing`() throws {
        let ends = Fixtures.pipe()
        close(ends.reading)
        defer { close(ends.writing) }
        let gone = Descriptor(ends.writing)
        let output = Output(command: "pair", console: ConsoleEnvironment(), out: gone, err: gone)
        let error = #expect(throws: ConsoleError.self) { try output.line("x") }
        #expect(error == .closedPipe)
        #expect(output.fail(Failure(error ?? .outOfMemory)) == 141)
    }

    @Test func `a table is aligned only for people`() throws {
        var table = Table([Column("name")])
        table.add([Cell("bob")])
        let made = table
        #expect(try Self.capture("x") { try $0.table(made) }.out == "bob\n")
        #expect(
            try Self.capture("x", terminal: true) { try $0.table(made) }.out
                == "\u{1B}[1mNAME\u{1B}[0m\nbob\n"
        )
        #expect(try Self.capture("x", .json) { try $0.table(made) }.out.isEmpty)
    }

    @Test(arguments: [
        (ColorChoice.auto, true, false, false, true), (.auto, false, false, false, false),
        (.auto, true, true, false, false), (.auto, true, false, true, false),
        (.always, false, true, true, true),
        (.never, true, false, false, false),
    ])
    func `colour is welcome or not`(
        choice: ColorChoice,
        isTerminal: Bool,
        refused: Bool,
        isDumb: Bool,
        isOn: Bool
    ) {
        let around = ConsoleEnvironment(isDumb: isDumb, refusesColor: refused)
        #expect(Style(choice, isTerminal: isTerminal, in: around).isOn == isOn)
    }

    @Test(arguments: [
        (["LANG": "en_US.UTF-8"], true), (["LANG": "C"], false), ([:], false),
        (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_CTYPE": "C.utf8", "LANG": "C"], true),
        (["LC_ALL": "", "LANG": "de_DE.UTF-8"], true),
    ])
    func `the locale says what can be shown`(variables: [String: String], isUTF8: Bool) {
        #expect(ConsoleEnvironment.current(Environment(variables)).isUTF8 == isUTF8)
    }

    @Test func `the environment sets width, colour and questions`() {
        let around = ConsoleEnvironment.current(
            Environment(["COLUMNS": "132", "NO_COLOR": "1", "TERM": "dumb", "HSIP_NO_INPUT": "1"])
        )
        #expect(around.window.columns == 132)
        #expect(around.refusesColor && around.isDumb && around.refusesInput && !around.hasDisplay)
    }
}
