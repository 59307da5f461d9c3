internal import Glibc

Hardening.apply()
if let status = Askpass.answer() { exit(status) }
let words = Array(CommandLine.arguments.dropFirst())
let part = HelperPart(startedAs: CommandLine.arguments.first)
let status: Int32
if let part {
    status = await part.run(words)
} else {
    status = await Program.run(words)
}
// Everything is written and every secret wiped by now: what exit(3) would still take apart goes with the process.
fflush(nil)
_exit(status)
