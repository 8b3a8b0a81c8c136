/** Who gets in: now, as it is deployed and as the proxy and the SSO provider have it; and once what is saved is deployed. */
import { type Api, expectGood } from '../../../cli/api.ts'
import { openPathsOf } from '../../../model/access/open-paths.ts'
import type { PresentedDomain } from '../present.ts'
import { isOtherwise, type Seen } from './seen.ts'

/** What `GET /api/access` says of a host that is deployed, and of whoever has not signed in there. */
interface AccessEntry {
  readonly domain: string
  readonly policy: string | null
  /** Null where that is not known. */
  readonly can_open: boolean | null
  readonly exceptions: readonly { readonly policy: string; readonly resources: readonly string[] }[]
}

interface AccessAnswer {
  readonly rules: 'running' | 'file' | null
  readonly entries: readonly AccessEntry[]
  /** What is not known of the rules comes first. */
  readonly notes: readonly string[]
}

export interface Entry {
  readonly text: string
  /** Somebody who has not signed in gets to something of it, or would after a deploy, or that is not known. */
  readonly is_open: boolean
  /** Anybody gets in now, and what is saved asks for a sign-in. */
  readonly sign_in_waits?: true
}

export interface Entries {
  of(record: PresentedDomain): Entry
  /** What is deployed under a name that no record has now, such as before a rename. */
  readonly others: readonly (Entry & { readonly domain: string })[]
  /** Why not all is known; null where it is. */
  readonly note: string | null
}

/** Asks for what is so now. */
export async function entriesNow(api: Api, names: ReadonlySet<string>): Promise<Entries> {
  const { rules, entries, notes } = await expectGood<AccessAnswer>(api, {
    method: 'GET',
    path: '/api/access',
  })
  const now = new Map(entries.map((entry) => [entry.domain, entry]))
  return {
    of: (record) => entryOf(record, now.get(record.domain)),
    others: entries
      .filter(({ domain }) => !names.has(domain))
      .map((entry) => ({ domain: entry.domain, text: `${nowOf(entry)} now`, is_open: isOpenNow(entry) })),
    note: rules === 'running' ? null : (notes[0] ?? null),
  }
}

function entryOf(record: PresentedDomain, entry: AccessEntry | undefined): Entry {
  const { service_type, status } = record
  const is_saved_open = isSavedOpen(record)
  if (entry === undefined) {
    if (service_type === 'manual') return { text: '-', is_open: false }
    if (status === 'disabled') return { text: 'nobody', is_open: false }
    return { text: is_saved_open ? 'nobody yet; open is saved' : 'nobody yet', is_open: is_saved_open }
  }
  const now = nowOf(entry)
  const is_open = isOpenNow(entry)
  if (is_saved_open && now !== ANYBODY) return { text: `${now} now; open is saved`, is_open: true }
  if (!is_saved_open && now === ANYBODY)
    return { text: `${now} now; sign-in is saved`, is_open: true, sign_in_waits: true }
  return { text: now, is_open }
}

const ANYBODY = 'anybody'

const isSavedOpen = ({ service_type, auth_required, auth_applies }: PresentedDomain): boolean =>
  service_type !== 'manual' && !(auth_required && auth_applies)

function nowOf(entry: AccessEntry): string {
  if (entry.can_open === true) return ANYBODY
  if (isPerhapsOpen(entry)) return 'perhaps anybody'
  const open = openedBy(entry)
  return open.length === 0 ? 'signed in' : `signed in, but ${open.join(', ')}: anybody`
}

const isOpenNow = (entry: AccessEntry): boolean =>
  entry.can_open === true || isPerhapsOpen(entry) || openedBy(entry).length > 0

/** A rule that lets everybody in may or may not be for it. */
const isPerhapsOpen = ({ policy, can_open }: AccessEntry): boolean => can_open === null && policy === 'bypass'

const openedBy = ({ exceptions }: AccessEntry): readonly string[] => [
  ...new Set(
    exceptions
      .filter(({ policy }) => policy === 'bypass')
      .flatMap(({ resources }) =>
        resources.length === 0 ? ['some requests'] : resources.flatMap(openPathsOf),
      ),
  ),
]

/** Who gets in at a route that may not be what is served is not known. */
export const whoNow =
  (entries: Entries, seen: Seen) =>
  (record: PresentedDomain): string => {
    const { is_open, text } = entries.of(record)
    return !is_open && isOtherwise(record, seen) ? 'not known' : text
  }
