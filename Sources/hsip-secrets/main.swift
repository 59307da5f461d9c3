internal import Glibc
internal import Programs

do {
    exit(Start.run(try CommandLineWords.ofProcess().words))
} catch {
    exit(Complaints.explain(error))
}
