internal import AgentKit
internal import Glibc
internal import System

do {
    exit(Start.run(try CommandLineWords.ofProcess().words))
} catch {
    exit(Complaints.explain(error))
}
