/// A generator whose numbers depend on its seed alone (splitmix64): the same for a seed everywhere.
package struct SeededGenerator: RandomNumberGenerator {
  /// Where it is in its sequence.
  private var state: UInt64

  /// A generator at the start of the seed's sequence.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next number of the sequence.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
