import Foundation
import Presentation
import System
import Testing

struct HelperTests {
    /// A folder with a made-up program, and the environment that finds only it.
    private static func withProgram(
        _ name: String,
        _ script: String,
        _ variables: [String: String] = [:],
        _ body: (Environment) throws -> Void
    ) throws {
        try Fixtures.inFolder { folder in
            let path = "\(folder)/\(name)"
            // Written by a child: a descriptor of this process could leak into another test's child and make
            // the program "busy" for a moment.
            var writer = ChildProcess(path: "/bin/sh")
            writer.arguments = ["-c", "cat > \"$0\"; chmod 755 \"$0\"", path]
            writer.environment = ["PATH=/usr/bin:/bin"]
            writer.input = Array("#!/bin/sh\n\(script)\n".utf8)
            try #require(try writer.run().status == 0)
            let all = variables.merging(["PATH": "\(folder):/usr/bin:/bin"]) { first, _ in first }
            return try body(Environment(all))
        }
    }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test func `a missing program is named with its package`() {
        let reader = ImageReader(environment: Environment(["PATH": "/nonexistent"]))
        let error = #expect(throws: ConsoleError.self) { try reader.codes(in: Self.png) }
        #expect(error?.explanation.message == "zbarimg is not installed")
        #expect(error?.explanation.hint == "apt install zbar-tools")
        #expect(error?.explanation.exitCode == 12)
    }

    @Test func `a program in the current folder is not found`() {
        #expect(ChildProcess.find("sh", in: Environment(["PATH": ".:bin:"])) == nil)
    }

    @Test func `several codes are several results`() throws {
        try Self.withProgram("zbarimg", "cat >/dev/null; printf 'HSIP:A\\nHSIP:B\\n'") { environment in
            let codes = try ImageReader(environment: environment).codes(in: Self.png)
            #expect(codes == ["HSIP:A", "HSIP:B"])
        }
    }

    @Test(arguments: [
        (4, ConsoleError.noCodeInImage), (1, .notAnImage), (2, .programFailed(.zbarimg, status: 2)),
    ])
    func `the scanner's verdict is kept`(status: Int, expected: ConsoleError) throws {
        try Self.withProgram("zbarimg", "exit \(status)") { environment in
            let error = #expect(throws: ConsoleError.self) {
                try ImageReader(environment: environment).codes(in: Self.png)
            }
            #expect(error == expected)
        }
    }

    @Test func `only PNG and JPEG go to the scanner`() throws {
        try Self.withProgram("zbarimg", "echo HSIP:A") { environment in
            for bytes in [Array("text:/etc/passwd".utf8), Array("<svg/>".utf8), [], Array("%PDF-1.4".utf8)] {
                #expect(throws: ConsoleError.notAnImage) {
                    try ImageReader(environment: environment).codes(in: bytes)
                }
            }
        }
        #expect(ImageReader.isImage([0xFF, 0xD8, 0xFF, 0xE0]))
    }

    @Test(.enabled(if: Fixtures.has("zbarimg"))) func `a broken picture is an error, not a crash`() {
        #expect(throws: ConsoleError.self) { try ImageReader().codes(in: Self.png + [1, 2, 3]) }
    }

    @Test func `a program that never ends is ended`() throws {
        var process = ChildProcess(path: "/bin/sleep")
        process.arguments = ["600"]
        process.seconds = 0
        #expect(throws: ConsoleError.timedOut(seconds: 0)) { try process.run() }
    }

    @Test func `a program that never stops talking is ended`() throws {
        var process = ChildProcess(path: "/usr/bin/yes")
        process.limit = 100_000
        #expect(throws: ConsoleError.tooLarge(limit: 100_000)) { try process.run() }
    }

    @Test func `a megabyte goes through in both directions`() throws {
        var process = ChildProcess(path: "/bin/cat")
        process.input = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let input = process.input
        #expect(try process.run().output == input)
    }

    @Test func `a child that does not read is no failure`() throws {
        var process = ChildProcess(path: "/bin/true")
        process.input = [UInt8](repeating: 0, count: 500_000)
        #expect(try process.run().status == 0)
    }

    @Test func `a child knows only what it is told`() throws {
        var process = ChildProcess(path: "/usr/bin/env")
        process.environment = ["ONLY=this"]
        #expect(String(decoding: try process.run().output, as: UTF8.self) == "ONLY=this\n")
        process = ChildProcess(path: "/bin/sh")
        process.arguments = ["-c", "ls /proc/self/fd | wc -l"]
        // Standard streams and the folder being listed.
        #expect(String(decoding: try process.run().output, as: UTF8.self).contains("4"))
    }

    @Test func `a signal is told like a shell tells it`() throws {
        var process = ChildProcess(path: "/bin/sh")
        process.arguments = ["-c", "kill -TERM $$"]
        #expect(try process.run().status == 143)
    }

    @Test func `copy and paste go through the tool of the desktop`() throws {
        try Fixtures.inFolder { home in
            let variables = ["WAYLAND_DISPLAY": "wayland-0", "HOME": home]
            try Self.withProgram("wl-copy", "cat > \"$HOME/copied\"", variables) { environment in
                try Clipboard(environment: environment).copy("HSIP:OFFER1")
            }
            #expect(try String(contentsOfFile: "\(home)/copied", encoding: .utf8) == "HSIP:OFFER1")
        }
        try Self.withProgram("xclip", "echo \"$@\"", ["DISPLAY": ":0"]) { environment in
            let pasted = try Clipboard(environment: environment).paste()
            #expect(pasted == "-selection clipboard -o\n")
        }
    }

    @Test func `without a desktop there is no clipboard`() {
        #expect(throws: ConsoleError.noClipboard) { try Clipboard(environment: Environment([:])).copy("x") }
    }
}
