/** What stays in the files: each thing with its reason, so that nothing is dropped silently. */
import { type Inventory, type Item, KINDS, resolve } from './inventory.ts'
import { type Leftover, named, type Place, placeKey } from './place.ts'
import { isMapping, listOf, textOf } from './tree.ts'

/**
 * Services, middlewares and transports that no record uses, or that a router needs which stays. A thing can be both used
 * and left: the file cannot lose it yet.
 */
export function dependents(
  inventory: Inventory,
  staying: readonly Item[],
  used: readonly Place[],
): Leftover[] {
  const needed = neededBy(inventory, staying)
  const usedKeys = new Set(used.map(placeKey))
  const reasonFor = (item: Item): string | null => {
    const router = needed.get(placeKey(item))
    if (usedKeys.has(placeKey(item)))
      return router === undefined ? null : `is needed by ${named(router.name)} too, which stays`
    return router === undefined
      ? 'is used by no router of these files'
      : `is needed by ${named(router.name)}, which stays`
  }
  const parts = KINDS.flatMap((kind) => [...inventory.items.get(kind)!.values()])
  const reasons = [...inventory.duplicates, ...parts.map((item) => [item, reasonFor(item)] as const)]
  return reasons.flatMap(([{ kind, file, where }, reason]) =>
    reason === null || kind.endsWith('.routers')
      ? []
      : [{ file, where, reason, ...(reason.startsWith('is needed') ? { kept: true as const } : {}) }],
  )
}

/** For everything that the routers lead to, the first of them. */
function neededBy(inventory: Inventory, routers: readonly Item[]): ReadonlyMap<string, Item> {
  const needed = new Map<string, Item>()
  for (const router of routers) {
    const waiting = [router]
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop())
      for (const next of referencesOf(item, inventory)) {
        if (needed.has(placeKey(next))) continue
        needed.set(placeKey(next), router)
        waiting.push(next)
      }
  }
  return needed
}

/** Field names, in lower case, that hold names of other things: services, middlewares, transports. */
const SERVICE_FIELDS = new Set(['service', 'fallback'])

function referencesOf(item: Item, inventory: Inventory): Item[] {
  const [section] = item.kind.split('.') as ['http' | 'tcp' | 'udp']
  const found: Item[] = []
  const follow = (kind: string, value: unknown): void => {
    const known = KINDS.find((candidate) => candidate === `${section}.${kind}`)
    for (const name of known === undefined ? [] : (listOf(value) ?? [])) {
      const reference = resolve(inventory, known!, name)
      if (reference.kind === 'item') found.push(reference.item)
    }
  }
  walk(item.value, (field, value) => {
    if (SERVICE_FIELDS.has(field)) follow('services', value)
    else if (field === 'middlewares') follow('middlewares', value)
    else if (field === 'serverstransport') follow('serversTransports', value)
    else if (field === 'services' || field === 'mirrors')
      for (const entry of Array.isArray(value) ? value : [])
        if (isMapping(entry)) follow('services', textOf(entry['name']))
  })
  return found
}

const DEEPEST = 12

function walk(value: unknown, visit: (field: string, value: unknown) => void, depth = 0): void {
  if (!isMapping(value) || depth > DEEPEST) return
  for (const [key, inner] of Object.entries(value)) {
    visit(key.toLowerCase(), inner)
    walk(inner, visit, depth + 1)
  }
}
