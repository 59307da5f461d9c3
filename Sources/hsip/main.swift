internal import Glibc

Hardening.apply()
if let status = Askpass.answer() { exit(status) }
exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
