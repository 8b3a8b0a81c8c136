/** From what a guest is called to what one types after `ssh`: letters, digits, dots, hyphens, and no name twice. Pure. */

const MAX_NAME = 63
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/
const UNNAMED = 'guest'

export const isTargetName = (text: string): boolean => NAME.test(text)

/** Anything that is no plain letter, digit, dot, underscore or hyphen becomes a hyphen: nothing of it is syntax to ssh. */
export function foldedName(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_NAME)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, MAX_NAME)
    .replace(/[._-]+$/, '')
  return plain === '' ? UNNAMED : plain
}

export interface Named {
  readonly id: string
  /** As the guest itself is called. */
  readonly called: string
  readonly cluster: string
  readonly vmid: number
  /** The name that it has already; left out: none. */
  readonly had?: string
}

/** What is not free for whoever has no name yet. */
export interface NotFree {
  /** Nobody's. */
  readonly names: Iterable<string>
  /** Names that lead somewhere, and the id of whose they are: free for nobody else. */
  readonly owners?: ReadonlyMap<string, string>
  /** Numbers of guests: a name that ends in the number of another one would pass for that one's. */
  readonly vmids?: Iterable<number>
  /** What guests are called that get no name here, as the setting has one for them, or nobody sees them now. */
  readonly called?: Iterable<string>
}

/**
 * A name for each, by id. Whoever may rename a guest must not come by a name that led elsewhere: a name in force stays with
 * the guest that has it, as long as it is called so. Where several fold to one, or it is not free, or passes for another guest's
 * or for a host's, each new one bears its number: which of them came first must not decide where `ssh NAME` leads. A number
 * once borne stays.
 */
export function namesFor(guests: readonly Named[], not_free: NotFree): ReadonlyMap<string, string> {
  const taken = new Set(not_free.names)
  const isFree = (name: string, id: string): boolean =>
    !taken.has(name) && (not_free.owners?.get(name) ?? id) === id
  const vmids = new Set([...(not_free.vmids ?? []), ...guests.map(({ vmid }) => vmid)])
  const bases = new Map(guests.map((guest) => [guest.id, foldedName(guest.called)]))
  const names = new Map<string, string>()
  const give = (id: string, name: string) => {
    names.set(id, name)
    taken.add(name)
  }
  for (const guest of guests) {
    const { id, had } = guest
    if (had !== undefined && !taken.has(had) && isNameOf(guest, had, bases.get(id)!)) give(id, had)
  }
  const fresh = guests.filter(({ id }) => !names.has(id))
  const among_fresh = Map.groupBy(fresh, ({ id }) => bases.get(id)!)
  const among_all = Map.groupBy(
    [...bases.values(), ...[...(not_free.called ?? [])].map(foldedName)],
    (base) => base,
  )
  for (const { id, vmid } of fresh) {
    const base = bases.get(id)!
    const is_odd = base === UNNAMED || passesForHost(base) || passesForOther(base, vmid, vmids)
    // Whose the name was may take it up again, whoever else bears it with a number meanwhile.
    const rivals = not_free.owners?.get(base) === id ? among_fresh : among_all
    if (rivals.get(base)!.length === 1 && isFree(base, id) && !is_odd) give(id, base)
  }
  for (const guest of fresh.toSorted(byNumber))
    if (!names.has(guest.id))
      give(
        guest.id,
        numbered(guest, bases.get(guest.id)!, (name) => isFree(name, guest.id)),
      )
  return names
}

/** Whether the name is still one for a guest that folds to this. */
function isNameOf(guest: Named, name: string, base: string): boolean {
  if (name === base) return !passesForHost(base) && base !== UNNAMED
  return isNumberedOf(guest, name)
}

/** Whether it is the name with a number that a guest gets of what it is called. */
export const isNumberedOf = (
  { called, cluster, vmid }: Pick<Named, 'called' | 'cluster' | 'vmid'>,
  name: string,
): boolean => [`-${vmid}`, clusterEnd(cluster, vmid)].some((end) => name === withEnd(foldedName(called), end))

/** What a guest may be called whose name bears its number; empty where it bears none. */
export const withoutNumber = (
  name: string,
  { cluster, vmid }: Pick<Named, 'cluster' | 'vmid'>,
): readonly string[] =>
  [`-${vmid}`, clusterEnd(cluster, vmid)]
    .filter((end) => name.endsWith(end))
    .map((end) => name.slice(0, -end.length))

/** What ssh would take for an address or a name of the network where no block of ours stood. */
const passesForHost = (base: string): boolean =>
  base.includes('.') || /^(?:\d+|0x[\da-f]*|localhost[46]?|ip6-.*)$/.test(base)

function passesForOther(base: string, own: number, vmids: ReadonlySet<number>): boolean {
  const digits = /-(\d+)$/.exec(base)?.[1]
  return digits !== undefined && Number(digits) !== own && vmids.has(Number(digits))
}

const byNumber = (a: Named, b: Named): number =>
  a.vmid - b.vmid || (a.cluster < b.cluster ? -1 : a.cluster > b.cluster ? 1 : 0)

function numbered({ cluster, vmid }: Named, base: string, isFree: (name: string) => boolean): string {
  const short = withEnd(base, `-${vmid}`)
  if (isFree(short)) return short
  const end = clusterEnd(cluster, vmid)
  for (let count = 1; ; count++) {
    const name = withEnd(base, count === 1 ? end : `${end}-${count}`)
    if (isFree(name)) return name
  }
}

const clusterEnd = (cluster: string, vmid: number): string => `-${foldedName(cluster).slice(0, 20)}-${vmid}`

const withEnd = (base: string, end: string): string => base.slice(0, MAX_NAME - end.length) + end
