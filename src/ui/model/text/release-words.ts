/** What a release did, as a sentence: its reason is a verb and what it was done to. Pure. */
import type { Release } from '../../api/types.ts'
import { count } from '../words.ts'

/** Reasons that are whole. */
const WHOLE = new Map<string, string>([
  ['installation', 'Installed'],
  ['deploy all', 'Deployed all that was saved'],
  ['deploy proxy', 'Deployed to the proxy'],
  ['apply estate', 'Applied an estate'],
])

/** The first word of a reason; the rest is what it was done to. */
const DONE = new Map<string, string>([
  ['activate', 'Activated'],
  ['deactivate', 'Deactivated'],
  ['delete', 'Deleted'],
  ['deploy', 'Deployed'],
  ['disable', 'Disabled for good:'],
  ['expose', 'Created and deployed'],
  ['rename', 'Renamed'],
  ['restore', 'Restored'],
  ['resume', 'Resumed'],
])

/** "activate a.example.com" is "Activated a.example.com"; what this version does not know stands as it was written. */
export function releaseWords(reason: string): string {
  const whole = WHOLE.get(reason)
  if (whole !== undefined) return whole
  const [verb = '', ...rest] = reason.split(' ')
  const done = DONE.get(verb)
  return done === undefined || rest.length === 0 ? reason : [done, ...restWords(verb, rest)].join(' ')
}

/** "restore 2 of release 3" is of two domains. */
const restWords = (verb: string, rest: readonly string[]): readonly string[] =>
  verb === 'restore' && rest[1] === 'of' ? [count(Number(rest[0]), 'domain'), ...rest.slice(1)] : rest

/** With how many domains moved, where the words do not name the one that did. */
export function releaseText({ reason, rows_moved }: Pick<Release, 'reason' | 'rows_moved'>): string {
  const words = releaseWords(reason)
  const isCounted = /\d+ domains?\b/.test(words) || (rows_moved === 1 && words.includes('.'))
  return isCounted
    ? `${words}.`
    : `${words}: ${rows_moved === 0 ? 'no domain' : count(rows_moved, 'domain')}.`
}
