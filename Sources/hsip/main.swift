internal import Glibc

Hardening.apply()
exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
