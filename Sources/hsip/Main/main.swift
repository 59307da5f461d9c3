internal import Commands
internal import Glibc
internal import System

Hardening.apply()
if let status = Askpass.answer() { exit(status) }
let status: Int32
do {
    let line = try CommandLineWords.ofProcess()
    if let part = HelperPart(startedAs: line.program) {
        status = await part.run(line.words)
    } else {
        status = await Program.run(line.words)
    }
} catch {
    status = Program.refuse(error)
}
// All output is written and every secret wiped; the system frees everything else.
fflush(nil)
_exit(status)
