/**
 * Credentials by age, which is a reminder and no fault, because what is due stays valid until it has a successor; and
 * whether somebody tries wrong ones in numbers.
 */
import type { PartAdvice } from '../../../core/finding.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { type CredentialParts, readCredentials } from './read.ts'
import type { Keys } from '../key-view.ts'
import { guessingWords } from '../../../http/access/wrong-keys.ts'
import { countsOf, type HealthCheck, healthy, impaired, type LookedAt, named } from '../../../core/check.ts'

const EVERY_MS: Milliseconds = 60_000

export const credentialsCheck = (
  parts: CredentialParts & { readonly keys: Pick<Keys, 'wrong'> },
): HealthCheck => ({
  name: 'credentials',
  kind: 'watch',
  configured: true,
  every_ms: EVERY_MS,
  look: async () => {
    const guessing = parts.keys.wrong.guessing()
    const found = evaluateCredentials(await readCredentials(parts))
    if (guessing === null) return found
    return impaired('wrong_keys', guessingWords(guessing), {
      details: { ...found.details, wrong_keys: guessing },
    })
  },
  advises: ({ cause }) => (cause === 'wrong_keys' ? GUESSED : {}),
  // Looked at when it begins and when it ends.
  glance: () => String(parts.keys.wrong.guessing() !== null),
})

/** By the time that the check says so, it has lasted. */
const GUESSED: Partial<PartAdvice> = {
  alert_after_ms: 0,
  remedy:
    'Find who it is: a device with an old key, or a stranger to be shut out at the proxy or the firewall. Nobody gets in by it.',
}

/** Pure. */
function evaluateCredentials({
  next_rotation_at,
  last_rotation_at,
  credentials,
}: Awaited<ReturnType<typeof readCredentials>>): LookedAt {
  const due = credentials.filter(({ state }) => state === 'rotation_due')
  const counts = countsOf(credentials.map(({ state: cause }) => ({ cause })))
  const rotation_due = due.map(({ kind, name }) => `${kind} ${name}`)
  const details = { next_rotation_at, last_rotation_at, counts, rotation_due }
  return due.length === 0
    ? healthy(`The next rotation is at ${next_rotation_at}.`, { details })
    : healthy(`To be rotated: ${named(rotation_due)}.`, { details })
}
