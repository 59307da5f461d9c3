/// The D-Bus object path of an item: the path of its collection, a slash, and one part more.
package typealias ItemPath = String
