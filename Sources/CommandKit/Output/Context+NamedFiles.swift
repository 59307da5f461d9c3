internal import Console
internal import Programs
internal import SafeText

extension Context {
    /// What reading a file gives; a file that does not exist is named in the failure.
    package func reading<R: ~Copyable>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as ConsoleError where error == .noSuchFile {
            throw Failure(.notFound, "\(output.display.text(path)): no such file")
        }
    }
}
