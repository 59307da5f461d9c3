import AgentProtocol
import CLinux
import Glibc
import Testing

@Suite struct BehalfTests {
    @Test(arguments: [
        #""x""#, #"{}"#, #"{"bus":"com.example","pid":1,"start":1}"#, #"{"bus":":1.1","pid":0,"start":1}"#,
        #"{"bus":":1.1","pid":-4,"start":1}"#, #"{"bus":":1.1","pid":4294967297,"start":1}"#,
        #"{"bus":":1.1","pid":1,"start":-1}"#, #"{"bus":":1.1","pid":1}"#,
        #"{"bus":":1.1","pid":1,"start":1,"label":7}"#, #"{"bus":":1.1","pid":1,"start":1,"ask":"no"}"#,
    ])
    func `who is not named in full is no one`(json: String) {
        let text = Array(#"{"request":"call","operation":"item.get","for":\#(json)}"#.utf8)
        #expect(throws: FrameError.malformed) { try AgentRequest(encoded: text) }
    }

    @Test func `a call for nobody is a call of its own`() throws {
        let text = Array(#"{"request":"call","operation":"item.get","for":null}"#.utf8)
        #expect(try AgentRequest(encoded: text).behalf == nil)
    }

    @Test func `a process is known by when it began`() throws {
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        #expect(mine.start > 0)
        #expect(Behalf(bus: ":1.1", process: getpid(), label: nil) == mine)
        #expect(Behalf(bus: ":1.1", process: 0, label: nil) == nil)
    }

    @Test func `a call that must not ask says so, and every other one may`() throws {
        let program = Behalf(bus: ":1.1", pid: 7, start: 9, label: "snap.a.b")
        for behalf in [program, program.unasked] {
            let request = AgentRequest.call(operation: "item.get", for: behalf)
            #expect(try AgentRequest(encoded: request.encoded()).behalf == behalf)
        }
        #expect(program.mayAsk)
        #expect(!program.unasked.mayAsk)
    }

    @Test func `a descriptor of the bus says whether the number is still that of the process`() throws {
        let mine = hsip_process_open(getpid())
        try #require(mine >= 0)
        defer { close(mine) }
        let known = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        #expect(Behalf(bus: ":1.1", process: getpid(), descriptor: mine, label: nil) == known)
        // The number of another process that runs, and what is no such descriptor.
        #expect(Behalf(bus: ":1.1", process: getppid(), descriptor: mine, label: nil) == nil)
        let file = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(Behalf(bus: ":1.1", process: getpid(), descriptor: file, label: nil) == nil)
        #expect(Behalf(bus: ":1.1", process: getpid(), descriptor: -1, label: nil) == nil)
    }
}
