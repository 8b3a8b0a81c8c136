/** Settings are the same for everybody for the whole run; whoever tries to change one is told at once. */

/** Freezes plain objects and arrays all the way down; instances of classes are left alone. */
export function freezeDeeply<T>(value: T): T {
  if (isPlain(value)) for (const member of Object.values(Object.freeze(value))) freezeDeeply(member)
  return value
}

function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
