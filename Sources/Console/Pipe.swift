internal import CLinux
internal import Glibc

/// Both ends of a pipe, each closed once.
final class Pipe {
    private(set) var readEnd: Int32
    private(set) var writeEnd: Int32

    init() throws(ConsoleError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe hsip_pipe(&ends) == 0 else { throw ConsoleError(errno: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    func closeReadEnd() {
        if readEnd >= 0 { Glibc.close(readEnd) }
        readEnd = -1
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { Glibc.close(writeEnd) }
        writeEnd = -1
    }

    func close() {
        closeReadEnd()
        closeWriteEnd()
    }
}
