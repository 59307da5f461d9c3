internal import CLinux
internal import Glibc

/// Both ends of a pipe, each closed once.
package final class Pipe {
    package private(set) var readEnd: Int32
    package private(set) var writeEnd: Int32

    package init() throws(ProgramError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe hsip_pipe(&ends) == 0 else { throw ProgramError(errno: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    package func closeReadEnd() {
        if readEnd >= 0 { Glibc.close(readEnd) }
        readEnd = -1
    }

    package func closeWriteEnd() {
        if writeEnd >= 0 { Glibc.close(writeEnd) }
        writeEnd = -1
    }

    package func close() {
        closeReadEnd()
        closeWriteEnd()
    }
}
