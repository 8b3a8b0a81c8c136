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
}

/**
 * A name for each, by id. Where several fold to one, or it is reserved, each of them bears its number: which of them came
 * first must not decide where `ssh NAME` leads.
 * @param reserved names that are not to be given
 */
export function namesFor(guests: readonly Named[], reserved: Iterable<string>): ReadonlyMap<string, string> {
  const taken = new Set(reserved)
  const bases = new Map(guests.map((guest) => [guest.id, foldedName(guest.called)]))
  const times = new Map<string, number>()
  for (const base of bases.values()) times.set(base, (times.get(base) ?? 0) + 1)
  const isAlone = (base: string) => times.get(base) === 1 && !taken.has(base) && base !== UNNAMED
  const names = new Map(
    guests.flatMap(({ id }) => (isAlone(bases.get(id)!) ? [[id, bases.get(id)!] as const] : [])),
  )
  for (const name of names.values()) taken.add(name)
  for (const guest of guests.toSorted(byNumber)) {
    if (names.has(guest.id)) continue
    const name = numbered(guest, bases.get(guest.id)!, taken)
    names.set(guest.id, name)
    taken.add(name)
  }
  return names
}

const byNumber = (a: Named, b: Named): number =>
  a.vmid - b.vmid || (a.cluster < b.cluster ? -1 : a.cluster > b.cluster ? 1 : 0)

function numbered({ cluster, vmid }: Named, base: string, taken: ReadonlySet<string>): string {
  const short = withEnd(base, `-${vmid}`)
  if (!taken.has(short)) return short
  const end = `-${foldedName(cluster).slice(0, 20)}-${vmid}`
  for (let count = 1; ; count++) {
    const name = withEnd(base, count === 1 ? end : `${end}-${count}`)
    if (!taken.has(name)) return name
  }
}

const withEnd = (base: string, end: string): string => base.slice(0, MAX_NAME - end.length) + end
