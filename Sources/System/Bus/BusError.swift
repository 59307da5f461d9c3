/// The name of an error on the bus.
package struct BusError: Equatable, Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    private init(standard name: String) { self.name = "org.freedesktop.DBus.Error." + name }

    package static let accessDenied = BusError(standard: "AccessDenied")
    package static let failed = BusError(standard: "Failed")
    package static let invalidArguments = BusError(standard: "InvalidArgs")
    package static let limitsExceeded = BusError(standard: "LimitsExceeded")
    package static let notSupported = BusError(standard: "NotSupported")
    package static let readOnly = BusError(standard: "PropertyReadOnly")
    package static let unknownInterface = BusError(standard: "UnknownInterface")
    package static let unknownMethod = BusError(standard: "UnknownMethod")
    package static let unknownProperty = BusError(standard: "UnknownProperty")
}
