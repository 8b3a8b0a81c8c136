/** What a record makes of the headers of answers, beside what the files made of them: header by header, the gravest first. */
import type { ResponseHeader } from '../../../../model/domain/response-headers.ts'
import { named } from '../../../routes/grammar/named.ts'

const HSTS = 'strict-transport-security'
const ORDER = [HSTS, 'content-security-policy']

/** As sentences without a full stop. The proxy replaces what a backend says. */
export function headerNotes(
  before: readonly ResponseHeader[],
  after: readonly ResponseHeader[],
): readonly string[] {
  const old = byName(before)
  const young = byName(after)
  return [...new Set([...old.keys(), ...young.keys()])]
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .flatMap((key) => note(old.get(key), young.get(key)) ?? [])
}

/** How far in front a note belongs that is about this header. */
export const headerNoteRank = (text: string): number => {
  const rank = ORDER.findIndex((name) => text.toLowerCase().startsWith(`the header ${name} `))
  return rank === -1 ? ORDER.length : rank
}

const byName = (headers: readonly ResponseHeader[]): ReadonlyMap<string, ResponseHeader> =>
  new Map(headers.map((header) => [header.name.toLowerCase(), header]))

const rankOf = (name: string): number => {
  const rank = ORDER.indexOf(name)
  return rank === -1 ? ORDER.length : rank
}

function note(old: ResponseHeader | undefined, young: ResponseHeader | undefined): string | null {
  if (young === undefined) return old === undefined ? null : dropped(old)
  const now = young.value === null ? 'is taken away' : named(young.value)
  const is_hsts = young.name.toLowerCase() === HSTS
  if (old === undefined) {
    const what = young.value === null ? now : `is set to ${now}`
    return `the header ${young.name} ${what}, in place of whatever the backend says${is_hsts ? A_YEAR : ''}`
  }
  if (old.value === young.value) return null
  const lost = is_hsts ? lostParts(old.value ?? '', young.value ?? '') : ''
  return `the header ${young.name} ${old.value === null ? 'was taken away and is' : `${named(old.value)} becomes`} ${now}${lost}`
}

const A_YEAR = '; browsers then refuse plain HTTP to the host for that time'

/** The files took it away, or set it: the backend's own passes from now on. */
const dropped = ({ name, value }: ResponseHeader): string =>
  value === null
    ? `the header ${name} is no longer taken from the backend's answers`
    : `the header ${name} is no longer set to ${named(value)}, and the backend's own passes`

function lostParts(old: string, young: string): string {
  const lost = ['preload', 'includeSubDomains'].filter((part) => old.includes(part) && !young.includes(part))
  return lost.length === 0 ? '' : `, without ${lost.join(' and ')}`
}
