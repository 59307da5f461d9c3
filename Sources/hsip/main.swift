internal import Glibc

Hardening.apply()
if let status = Askpass.answer() { exit(status) }
let status = await Program.run(Array(CommandLine.arguments.dropFirst()))
// Everything is written and every secret wiped by now: what exit(3) would still take apart goes with the process.
fflush(nil)
_exit(status)
