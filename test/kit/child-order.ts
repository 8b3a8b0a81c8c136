/** The other side of `childsEnd`: what a program of a test was told, and an end to it whatever happens. */
const MAX_MS = 60_000

/** The order of this process. It ends by itself after a minute, unless it is through before. */
export function takeOrder<T>(): T & Disposable {
  const overdue = setTimeout(() => process.exit(3), MAX_MS)
  const order = JSON.parse(process.argv[2]!) as T
  return { ...order, [Symbol.dispose]: () => clearTimeout(overdue) }
}
