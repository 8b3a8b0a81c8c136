/** One attempt to get a certificate: waits that are kept, what stands taken up or left, and trouble put on its row. */
import { isoTime } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { CertificateOrder } from '../../order-records.ts'
import type { InstalledCertificate } from '../../records.ts'
import { beginOrder } from './begin-order.ts'
import { sameNames } from '../fitness.ts'
import type { CertificateWish } from '../issuer.ts'
import { leave } from './leave.ts'
import { notNow } from '../order-trouble.ts'
import type { IssuerParts } from '../parts.ts'
import { installedAs, orderFor, troubleOf } from '../rows.ts'
import { setback } from './setback.ts'
import { waitsUntil } from '../trouble.ts'
import { walk } from './walk.ts'

export interface Why {
  readonly reason: string
  readonly signal: AbortSignal
}

export async function obtain(
  parts: IssuerParts,
  wish: CertificateWish,
  why: Why,
): Promise<InstalledCertificate> {
  const done = await finished(parts, wish, why.signal)
  if (done !== null) return done
  await respectTheWait(parts, wish)
  try {
    return await attempt(parts, wish, why)
  } catch (error) {
    why.signal.throwIfAborted()
    throw await setback(parts, wish, { error, signal: why.signal })
  }
}

/** An order whose certificate is stored needs no authority any more, only its traces removed. */
async function finished(
  parts: IssuerParts,
  wish: CertificateWish,
  signal: AbortSignal,
): Promise<InstalledCertificate | null> {
  const order = await orderFor(parts, wish.name)
  if (order?.step !== 'stored') return null
  await leave(parts, order, signal)
  return isPassed(parts, order, wish) ? null : installedAs(parts, wish.name)
}

async function respectTheWait(parts: IssuerParts, { name }: CertificateWish): Promise<void> {
  const { clock } = parts
  const trouble = await troubleOf(parts, name)
  const until = waitsUntil(trouble, await installedAs(parts, name), clock.now())
  if (trouble === null || until === null) return
  const message = `${trouble.message} The next try is at ${isoTime(until)}.`
  throw notNow(trouble.code, message, until - clock.now())
}

async function attempt(parts: IssuerParts, wish: CertificateWish, { reason, signal }: Why) {
  let order = await orderFor(parts, wish.name)
  if (order !== null && (order.step === 'failed' || isPassed(parts, order, wish))) {
    await leave(parts, order, signal)
    order = null
  }
  for (;;) {
    order ??= await beginOrder(parts, wish, reason)
    const acme = order.rehearsal ? parts.staging! : parts.acme
    const end = await walk({ parts, acme, signal }, order)
    await leave(parts, end, signal)
    if (!end.rehearsal) return theInstalled(parts, end)
    parts.log.info('a rehearsal at the staging authority went well', { name: wish.name })
    order = null
  }
}

/** It is for other names, or for an authority that is not asked any more. */
function isPassed(
  { acme, staging }: IssuerParts,
  order: CertificateOrder,
  { names }: CertificateWish,
): boolean {
  const directory = order.rehearsal ? staging?.directory : acme.directory
  return order.directory !== directory || !sameNames(order.names, names)
}

async function theInstalled(parts: IssuerParts, { name, started_at }: CertificateOrder) {
  const installed = await installedAs(parts, name)
  if (installed === null)
    throw new Failure('internal', `The certificate for ${name} was stored and is not there.`)
  const { serial, issuer, not_after } = installed
  parts.log.info('a certificate was obtained', { name, serial, issuer, not_after, ordered_at: started_at })
  return installed
}
