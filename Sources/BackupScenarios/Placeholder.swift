// Placeholder until the first type.
