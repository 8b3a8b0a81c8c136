/** Proving control of the names: TXT records are put there, awaited, pointed out to the authority, and taken away. */
import { Failure } from '../../../../kernel/failure.ts'
import type { Acme, AcmeAuthorization, AcmeOrder } from '../../acme/port.ts'
import type { CertificateOrder, OrderChallenge } from '../../order-records.ts'
import { asked, deadOrder, unfinished } from '../order-failure.ts'
import type { IssuerParts } from '../parts.ts'
import { saveStep } from '../rows.ts'
import { until } from './wait.ts'

export interface At {
  readonly parts: IssuerParts
  readonly acme: Acme
  readonly signal: AbortSignal
}

/** On the row before they are at the provider: a crash leaves none that nobody knows of. */
export async function present(at: At, order: CertificateOrder, seen: AcmeOrder): Promise<CertificateOrder> {
  const { parts, signal } = at
  const wanted = await challengesOf(at, seen)
  // An account key of before would have given other values.
  for (const old of order.challenges)
    if (!wanted.some((one) => sameRecord(one, old))) await parts.challenges.remove(old, signal)
  const row = await saveStep(parts, order, { challenges: wanted })
  for (const challenge of wanted) await parts.challenges.present(challenge, signal)
  return saveStep(parts, row, { event: 'records_presented' })
}

const sameRecord = (a: OrderChallenge, b: OrderChallenge): boolean => a.name === b.name && a.value === b.value

/** Of those names that are not proven yet. */
async function challengesOf(at: At, seen: AcmeOrder): Promise<OrderChallenge[]> {
  const challenges: OrderChallenge[] = []
  for (const url of seen.authorization_urls) {
    const authorization = await asked(at.acme.authorization(url, at.signal))
    if (authorization.status !== 'valid') challenges.push(challengeIn(authorization))
  }
  return challenges
}

function challengeIn({ url, status, name, dns }: AcmeAuthorization): OrderChallenge {
  if (status !== 'pending')
    throw deadOrder(
      `The authorisation of ${name} is ${status}${dns?.error ? `: ${dns.error}` : ''}. A new order is made at the next try.`,
      { ladder: 'authority' },
    )
  if (dns === null)
    throw deadOrder(
      `The authority does not offer to validate ${name} by a DNS record (DNS-01). Use one that does.`,
      { ladder: 'authority' },
    )
  return { name: dns.record_name, value: dns.record_value, challenge_url: dns.url, authorization_url: url }
}

/** Every authoritative server must show every value: the authority may ask any of them. */
export async function awaitRecords(
  { parts, signal }: At,
  order: CertificateOrder,
): Promise<CertificateOrder> {
  let missing = ''
  const done = await until(parts.clock, signal, async () => {
    for (const challenge of order.challenges) {
      const observation = await invisibleBecause(parts, challenge, signal)
      if (observation !== null) {
        missing = `${challenge.name}: ${observation}`
        return null
      }
    }
    return true
  })
  if (done === null)
    throw unfinished(order.step, `The TXT record is not at every authoritative server yet (${missing}).`)
  return saveStep(parts, order, { event: 'records_seen' })
}

/** Null when it can be seen. A server that could not be asked has not shown it. */
async function invisibleBecause(
  { challenges }: IssuerParts,
  challenge: OrderChallenge,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { visible, detail } = await challenges.visible(challenge, signal)
    return visible ? null : (detail ?? 'it is not shown')
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return error.message
  }
}

/** Only what still waits for an answer gets one: a crash may have come after the first of several. */
export async function answer(
  { parts, acme, signal }: At,
  order: CertificateOrder,
): Promise<CertificateOrder> {
  for (const { authorization_url, challenge_url } of order.challenges) {
    const { status, dns } = await asked(acme.authorization(authorization_url, signal))
    if (status === 'pending' && dns?.status === 'pending') await asked(acme.answer(challenge_url, signal))
  }
  return saveStep(parts, order, { event: 'challenges_answered' })
}

/** Tries all of them. Throws the first Failure; the row names them until they are gone. */
export async function takeAway(
  { challenges }: Pick<IssuerParts, 'challenges'>,
  order: CertificateOrder,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  for (const challenge of order.challenges) {
    signal.throwIfAborted()
    await challenges.remove(challenge, signal).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
