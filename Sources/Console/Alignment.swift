/// On which side of its column a cell stands.
package enum Alignment: Sendable {
    case left
    case right
}
