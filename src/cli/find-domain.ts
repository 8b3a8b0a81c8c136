/** A domain as a person names it on the command line: its id or its name, in any spelling. */
import { Failure } from '../kernel/failure.ts'
import { didYouMean } from '../kernel/text/nearest.ts'
import { shellWord } from '../kernel/text/shell-word.ts'
import { COMPONENTS } from '../model/component.ts'
import { type Api, expectGood } from './api.ts'
import { Misuse } from './misuse.ts'
import { shortTime } from './text/terminal.ts'

/** A number is an id; the API reads a name in capitals, in Unicode or with a dot at its end. */
export const domainIn = (word: string): number | string => (isId(word) ? Number(word) : word)

const isId = (word: string): boolean => /^[0-9]{1,15}$/.test(word)

/** Of several words: throws Misuse for one that can be neither, before anybody is asked. */
export function assertDomains(words: readonly string[]): void {
  const unnamed = words.length > 1 ? words.find((word) => !/^\d+$|\./.test(word)) : undefined
  if (unnamed !== undefined) throw new Misuse(`"${unnamed}" is neither the name nor the id of a domain.`)
}

/** Throws `not_found` with the names that are near. */
export async function domainId(api: Api, word: string): Promise<number> {
  if (isId(word)) return Number(word)
  try {
    const path = `/api/domains/by-name/${encodeURIComponent(word)}`
    return (await expectGood<{ id: number }>(api, { method: 'GET', path })).id
  } catch (error) {
    if (!(error instanceof Failure) || !UNKNOWN.has(error.details.facts?.['status'])) throw error
    throw new Failure(
      'not_found',
      `There is no domain "${word.slice(0, 260)}".${componentWords(word) ?? (await endedWords(api, word)) ?? (await nearestOf(api, word))}`,
      { cause: error },
    )
  }
}

/** No record has it, or it is no name at all. */
const UNKNOWN: ReadonlySet<unknown> = new Set([404, 422])

/** Who means a part of everything asks elsewhere. */
const componentWords = (word: string): string | null =>
  COMPONENTS.some((one) => one === word)
    ? ` It is a component: "plumbline drift" and "plumbline status" say how it is.`
    : null

interface Ending {
  readonly id: number
  readonly at: string
  readonly domain_id: number | null
}

/** What became of the record that had the name last: deleted, or renamed; null where the trail knows of neither. */
async function endedWords(api: Api, word: string): Promise<string | null> {
  const newest = async (action: string): Promise<Ending | null> => {
    const path = `/api/audit?action=${action}&limit=1&domain=${encodeURIComponent(word)}`
    const found = await expectGood<readonly Ending[]>(api, { method: 'GET', path }).catch(
      (): readonly Ending[] => [],
    )
    return found[0] ?? null
  }
  const [deleted, renamed] = await Promise.all([newest('delete'), newest('rename')])
  if (renamed !== null && renamed.id > (deleted?.id ?? 0)) {
    const now = await nameNow(api, renamed)
    if (now !== null) return ` It was renamed at ${shortTime(renamed.at)}, and is "${now}" now.`
  }
  return deleted === null
    ? null
    : ` It was deleted at ${shortTime(deleted.at)}: "plumbline audit ${shellWord(word)}" shows its history, and "plumbline releases undo ${shellWord(word)}" brings back what was deployed of it.`
}

/** Null where the record is gone. */
async function nameNow(api: Api, { domain_id }: Ending): Promise<string | null> {
  if (domain_id === null) return null
  const path = `/api/domains/${domain_id}`
  const found = await expectGood<{ domain: string }>(api, { method: 'GET', path }).catch(() => null)
  return found?.domain ?? null
}

/** The call that deploys one domain, or everything when none is named. */
export const deployPath = async (api: Api, word: string | undefined): Promise<string> =>
  word === undefined ? '/api/deploy-all' : `/api/domains/${await domainId(api, word)}/deploy`

async function nearestOf(api: Api, word: string): Promise<string> {
  const all = await expectGood<readonly { domain: string; domain_unicode: string }[]>(api, {
    method: 'GET',
    path: '/api/domains',
  })
  const names = new Set(all.flatMap(({ domain, domain_unicode }) => [domain, domain_unicode]))
  const near = didYouMean(word, names)
  if (near !== '') return near
  // Whoever says `app` means app.example.com.
  const within = [...names].filter((name) => name.includes(word.toLowerCase())).slice(0, 3)
  if (within.length > 0) return ` Did you mean ${within.map((name) => `"${name}"`).join(' or ')}?`
  return names.size === 0
    ? ' There are no domains: "plumbline add" makes one.'
    : ' "plumbline domains" lists them.'
}
