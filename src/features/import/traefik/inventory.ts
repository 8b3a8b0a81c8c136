/** Everything that the files define, by kind and name, and what in them defines nothing that can be imported. */
import { canonicalJson } from '../../../kernel/digest.ts'
import { comparable, isMapping, type Mapping, someText } from '../../routes/grammar/tree.ts'
import type { Leftover, FilePosition } from './place.ts'
import { named } from '../../routes/grammar/named.ts'

/** One file as read: its data, or why there is none. */
export type TraefikDocument =
  | {
      readonly file: string
      readonly data: unknown
      /** Why Traefik takes none of it although we can read it, as the end of a sentence. */
      readonly refused?: string
    }
  | { readonly file: string; readonly unreadable: { readonly line: number | null; readonly reason: string } }

export const KINDS = [
  'http.routers',
  'http.services',
  'http.middlewares',
  'http.serversTransports',
  'tcp.routers',
  'tcp.services',
  'tcp.middlewares',
  'tcp.serversTransports',
  'udp.routers',
  'udp.services',
] as const
export type Kind = (typeof KINDS)[number]

export interface Item extends FilePosition {
  readonly kind: Kind
  readonly name: string
  readonly value: Mapping
  /** Traefik renders its files as Go templates first, so what stands here is not what it reads. */
  readonly template: boolean
}

export interface Inventory {
  /** Usable items; a name that is defined twice is not among them. */
  readonly items: ReadonlyMap<Kind, ReadonlyMap<string, Item>>
  /** Every definition of a name that has several, with the reason why none is usable. */
  readonly duplicates: ReadonlyMap<Item, string>
  readonly leftovers: readonly Leftover[]
}

/** All files of one Traefik share their names, whatever file each stands in. */
export function takeInventory(documents: readonly TraefikDocument[]): Inventory {
  const found = documents.flatMap(entriesOf)
  const items = new Map<Kind, Map<string, Item>>(KINDS.map((kind) => [kind, new Map()]))
  const duplicates = new Map<Item, string>()
  const copies: Leftover[] = []
  const defined = found.filter((entry) => 'value' in entry)
  for (const [where, same] of Map.groupBy(defined, (item) => item.where)) {
    const [first, ...others] = same
    if (first !== undefined && others.every((other) => isSame(first, other))) {
      items.get(first.kind)!.set(first.name, first)
      copies.push(...others.map(({ file }) => ({ file, where, reason: `says the same as in ${first.file}` })))
    } else
      for (const item of same)
        duplicates.set(item, `is defined ${same.length} times as ${where}; Traefik keeps one`)
  }
  return { items, duplicates, leftovers: [...found.filter((entry) => 'reason' in entry), ...copies] }
}

/** Whichever of them Traefik keeps. What a template says is known to nobody. */
const isSame = (a: Item, b: Item): boolean =>
  !a.template && !b.template && canonicalJson(comparable(a.value)) === canonicalJson(comparable(b.value))

function entriesOf(document: TraefikDocument): (Item | Leftover)[] {
  const { file } = document
  const left = (where: string, reason: string): Leftover => ({ file, where, reason })
  if ('unreadable' in document) {
    const { line, reason } = document.unreadable
    return [left(line === null ? '' : `line ${line}`, reason)]
  }
  if (document.data === null || document.data === undefined) return [left('', 'holds no configuration')]
  if (!isMapping(document.data)) return [left('', 'is not a mapping')]
  return Object.entries(document.data).flatMap(([key, value]) => {
    const section = key.toLowerCase()
    if (section === 'tls')
      return tlsEntries(value).map((where) => left(where, 'concerns certificates, not routes'))
    if (!['http', 'tcp', 'udp'].includes(section))
      return [left(key, "is no part of Traefik's dynamic configuration, which ignores it")]
    if (value === null) return []
    if (!isMapping(value)) return [left(key, 'is not a mapping')]
    return Object.entries(value).flatMap(([kind, entries]) => sectionEntries(file, section, kind, entries))
  })
}

function sectionEntries(file: string, section: string, key: string, entries: unknown): (Item | Leftover)[] {
  const kind = KINDS.find((known) => known.toLowerCase() === `${section}.${key.toLowerCase()}`)
  const left = (where: string, reason: string): Leftover => ({ file, where, reason })
  if (kind === undefined)
    return [left(`${section}.${key}`, 'is unknown to Traefik, which refuses the file for it')]
  if (entries === null) return []
  if (!isMapping(entries)) return [left(kind, 'is not a mapping of names')]
  return Object.entries(entries).map(([name, value]) => {
    const where = `${kind}.${name}`
    if (!isMapping(value))
      return left(where, value === null ? 'is empty, so Traefik drops it' : 'is not a mapping')
    return { file, where, kind, name, value, template: someText([name, value], isTemplate) }
  })
}

export const isTemplate = (text: string): boolean => text.includes('{{')

function tlsEntries(value: unknown): string[] {
  if (!isMapping(value)) return ['tls']
  return Object.entries(value).flatMap(([key, inner]) =>
    isMapping(inner) ? Object.keys(inner).map((name) => `tls.${key}.${name}`) : [`tls.${key}`],
  )
}

export type Reference =
  | { readonly kind: 'item'; readonly item: Item }
  /** Defined somewhere else: `authelia@docker`, or not in these files. */
  | { readonly kind: 'elsewhere'; readonly name: string; readonly provider: string | null }

/** What a name in a file means: its own provider is `file`, and another provider's objects are not in these files. */
export function resolve(inventory: Inventory, kind: Kind, reference: string): Reference {
  const at = reference.lastIndexOf('@')
  const provider = at === -1 ? 'file' : reference.slice(at + 1)
  const name = at === -1 ? reference : reference.slice(0, at)
  const item = provider === 'file' ? inventory.items.get(kind)!.get(name) : undefined
  return item === undefined
    ? { kind: 'elsewhere', name, provider: provider === 'file' ? null : provider }
    : { kind: 'item', item }
}

/** Why something defined elsewhere cannot be followed, as the end of a sentence. */
export const elsewhereReason = (
  what: string,
  { name, provider }: { name: string; provider: string | null },
): string =>
  provider === null
    ? `uses the ${what} ${named(name)}, which these files do not define exactly once`
    : `uses the ${what} ${named(`${name}@${provider}`)} of another provider`

export const TEMPLATE_REASON = 'holds a Go template ("{{"), so its text is not what Traefik reads'
