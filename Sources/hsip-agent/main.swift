internal import AgentKit
internal import Glibc

exit(Start.run(Array(CommandLine.arguments.dropFirst())))
