/** Rings among the imports of the source, and its floors: files that reach themselves through others, types included. */
import { posix } from 'node:path'
import { importsOf, type Source } from './read-source.ts'

/** Every group of files in which each reaches each, with its paths in order. Tarjan's algorithm. */
export function ringsOf(sources: readonly Source[]): readonly (readonly string[])[] {
  const graph = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter((name) => name.startsWith('.'))
        .map((name) => posix.join(posix.dirname(path), name)),
    ]),
  )
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const rings: string[][] = []
  const visit = (path: string): void => {
    const mine = order.size
    order.set(path, mine)
    lowest.set(path, mine)
    open.push(path)
    for (const next of graph.get(path)!) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!))
    }
    if (lowest.get(path) !== mine) return
    const group = open.splice(open.indexOf(path))
    if (group.length > 1 || graph.get(path)!.includes(path)) rings.push(group.toSorted())
  }
  for (const path of graph.keys()) if (!order.has(path)) visit(path)
  return rings
}

/** On which floor each stands: how many are below it, one on another. Only of rooms without a ring. */
export function floorsOf(below: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const floors = new Map<string, number>()
  const floorOf = (room: string): number => {
    const known = floors.get(room)
    if (known !== undefined) return known
    const floor = Math.max(-1, ...[...below.get(room)!].map(floorOf)) + 1
    floors.set(room, floor)
    return floor
  }
  for (const room of below.keys()) floorOf(room)
  return floors
}
