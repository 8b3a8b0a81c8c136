/** Which addresses the sources of the console name, and which table says of each GET how it is reached, or why it is not. */

const MAX_PRESSES = 3
/** Letters; "For Prometheus." says it all. */
const MIN_REASON = 12

/** `/api/domains/{domain_id}` and `/api/domains/${record.id}` are the same: `/api/domains/{}`. */
export const shapeOf = (address: string): string =>
  withoutParts(address.replaceAll('${', '{')).replace(/[?#].*$/, '')

function withoutParts(text: string): string {
  let depth = 0
  let shape = ''
  for (const letter of text) {
    if (letter === '{' && depth++ === 0) shape += '{}'
    else if (letter === '}' && depth > 0) depth -= 1
    else if (depth === 0) shape += letter
  }
  return shape
}

/** Addresses in one source file, as shapes; a constant of the same file that stands in front is put in. */
export function addressesIn(source: string): readonly string[] {
  const constants = [...source.matchAll(/const (\w+)(?:: [^=\n]+)? =\s*['`](\/[^'`\n]*)['`]/g)].map(
    ([, name, value]) => [`\${${name!}}`, value!] as const,
  )
  const whole = constants.reduce((text, [name, value]) => text.replaceAll(name, value), source)
  return [...whole.matchAll(/['"`](\/[^'"`\n]*)/g)].map(([, address]) => shapeOf(address!))
}

export interface Reach {
  readonly address: string
  /** The page that shows it; null where the table gives a reason instead. */
  readonly page: string | null
  readonly presses: number
  readonly says: string
}

/** The rows of the table: address, page with its presses ("System, 2"), or "–" and the reason. */
export const readReach = (table: string): readonly Reach[] =>
  [...table.matchAll(/^\| `(\/[^`]*)` +\| ([^|]*) \| ([^|]*) \|$/gm)].map(([, address, page, says]) => {
    const [, name, presses] = /^(.*), (\d)$/.exec(page!.trim()) ?? []
    return { address: address!, page: name ?? null, presses: Number(presses ?? 0), says: says!.trim() }
  })

interface Faults {
  readonly missing: readonly string[]
  readonly unknown: readonly string[]
  readonly never_called: readonly string[]
  readonly too_far: readonly string[]
  readonly without_reason: readonly string[]
}

/** What is wrong with the table: `gets` of the documents, `called` by the pages. */
export function faultsOfReach(
  rows: readonly Reach[],
  gets: readonly string[],
  called: ReadonlySet<string>,
): Faults {
  const listed = new Set(rows.map(({ address }) => address))
  const of = (is: (row: Reach) => boolean) => rows.filter(is).map(({ address }) => address)
  return {
    missing: gets.filter((address) => !listed.has(address)),
    unknown: of(({ address }) => !gets.includes(address)),
    never_called: of(({ address, page }) => page !== null && !called.has(shapeOf(address))),
    too_far: of(({ page, presses }) => page !== null && presses > MAX_PRESSES),
    without_reason: of(({ page, says }) => page === null && says.length < MIN_REASON),
  }
}
