/** What stays in the files: each thing with its reason, so that nothing is dropped silently. */
import { type Inventory, type Item, KINDS, resolve } from './inventory.ts'
import type { StaticSetup } from '../../../ports/import-context.ts'
import { type Leftover, type FilePosition, placeKey } from './place.ts'
import { named } from '../../routes/grammar/named.ts'
import { isMapping, listOf, textOf } from '../../routes/grammar/tree.ts'

/**
 * Services, middlewares and transports that no record uses, or that a router needs which stays. A thing can be both used
 * and left: the file cannot lose it yet.
 */
export function dependents(inventory: Inventory, { staying, used, static_setup }: Needs): Leftover[] {
  const needed = neededBy(inventory, staying, static_setup?.entrypoints ?? [])
  const usedKeys = new Set(used.map(placeKey))
  const whyLeft = (item: Item): WhyLeft | null => {
    const holder = needed.get(placeKey(item))
    const is_used = usedKeys.has(placeKey(item))
    if (holder === undefined) return is_used ? null : { reason: 'is used by no router of these files' }
    return { reason: `is needed by ${holder.name}${is_used ? ' too' : ''}${holder.stays}`, kept: true }
  }
  const parts = KINDS.flatMap((kind) => [...inventory.items.get(kind)!.values()])
  const left = [
    ...[...inventory.duplicates].map(([item, reason]) => [item, { reason }] as const),
    ...parts.map((item) => [item, whyLeft(item)] as const),
  ]
  return left.flatMap(([{ kind, file, where }, why]) =>
    why === null || kind.endsWith('.routers') ? [] : [{ file, where, ...why }],
  )
}

type WhyLeft = Pick<Leftover, 'reason' | 'kept'>

export interface Needs {
  /** Routers. */
  readonly staying: readonly Item[]
  readonly used: readonly FilePosition[]
  readonly static_setup: StaticSetup | null
}

interface Holder {
  readonly name: string
  readonly stays: string
}

/** For everything that the routers and entrypoints lead to, the first of them. */
function neededBy(
  inventory: Inventory,
  routers: readonly Item[],
  entrypoints: StaticSetup['entrypoints'],
): ReadonlyMap<string, Holder> {
  const needed = new Map<string, Holder>()
  const hold = (holder: Holder, first: readonly Item[]): void => {
    const waiting = [...first]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (needed.has(placeKey(next))) continue
      needed.set(placeKey(next), holder)
      waiting.push(...referencesOf(next, inventory))
    }
  }
  for (const router of routers)
    hold({ name: named(router.name), stays: ', which stays' }, referencesOf(router, inventory))
  for (const { name, middlewares } of entrypoints)
    hold(
      { name: `the entrypoint ${named(name)}`, stays: '' },
      middlewares.flatMap((one) => {
        const found = resolve(inventory, 'http.middlewares', one)
        return found.kind === 'item' ? [found.item] : []
      }),
    )
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
