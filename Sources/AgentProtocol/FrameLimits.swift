/// The numbers that bound what one side of the control socket can make the other one do.
public enum FrameLimits {
    /// Bytes of a JSON body: 256 KiB.
    public static let text = 256 << 10
    /// Bytes of one raw frame: 2 MiB, as a message of 1 MiB is 1.4 MiB of text.
    public static let bytes = 2 << 20
    /// Raw frames of each kind that one request, reply or answer may have.
    public static let frames = 16
    /// Bytes of all raw frames of one request, reply or answer: 8 MiB.
    public static let whole = 8 << 20
    /// Requests of one connection that may run at the same time.
    public static let requests = 32
    /// Connections at the same time; the next one hears so and is closed.
    public static let connections = 64
    /// Connections of one process at a time: the rest is for the others, `hsip lock` among them, one for each process.
    public static let connectionsPerProcess = 48
    /// The last of all connections, which are for our own command line: many programs with one each leave it these.
    public static let ownConnections = 8
    /// How deep arrays and objects may be nested.
    public static let depth = 16
    /// Seconds until the first frame is there.
    public static let firstFrame = 2
    /// Seconds from the first byte of a frame to its last, and for the other side to take one.
    public static let frame = 10
    /// Seconds that a person has to answer a question.
    public static let question = 120
}
