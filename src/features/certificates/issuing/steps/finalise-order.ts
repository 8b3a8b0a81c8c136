/** From proven names to a certificate on disk: key and request, finalising, download, a look at what came, storing. */
import { sha256 } from '../../../../kernel/digest.ts'
import { Failure } from '../../../../kernel/failure.ts'
import type { AcmeOrder } from '../../acme/port.ts'
import type { CertificateOrder } from '../../order-records.ts'
import type { InstalledCertificate, KeptChain } from '../../records.ts'
import type { CertificateRequest } from '../request.ts'
import type { CertificateFacts } from '../../../../model/network/certificate.ts'
import { unfitness } from '../fitness.ts'
import { issuedBy } from '../ledger.ts'
import { STUCK_AFTER } from './next-step.ts'
import { asked, deadOrder, OrderFailure } from '../order-failure.ts'
import type { At } from './solve-challenge.ts'
import { takeAway } from './solve-challenge.ts'
import { installedAs, saveStep } from '../rows.ts'

/** The names are proven. A rehearsal ends here. */
export async function noteValidated(
  { parts, signal }: At,
  order: CertificateOrder,
): Promise<CertificateOrder> {
  const row = await saveStep(parts, order, { event: 'names_validated' })
  // Nobody needs them any more; what cannot be removed now is removed at the end.
  try {
    await takeAway(parts, row, signal)
    return await saveStep(parts, row, { challenges: [] })
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn('TXT records of a validated order are still there', { name: row.name, error })
    return row
  }
}

/** The same key and request as before a crash: the authority may have begun with them. */
export async function finalise(
  { parts, acme, signal }: At,
  order: CertificateOrder,
  seen: AcmeOrder,
): Promise<{ row: CertificateOrder; seen: AcmeOrder }> {
  const key = { name: order.name, order_id: order.id }
  const kept = await parts.files.request(key, signal)
  const request = kept ?? (await parts.makeRequest(order.names))
  if (kept === null) await parts.files.keepRequest(key, request, signal)
  const finalised = await asked(acme.finalize(seen, request.csr, signal)).catch(refusedToIssue)
  return { row: await saveStep(parts, order, { event: 'order_finalised' }), seen: finalised }
}

function refusedToIssue(error: unknown): never {
  if (!(error instanceof OrderFailure) || !error.dead) throw error
  const { failure, ladder, dead } = error
  throw new OrderFailure(failure, { ladder, dead, nothing_issued: true })
}

/** Nothing is stored unless all of it is good. */
export async function download(at: At, order: CertificateOrder, seen: AcmeOrder): Promise<CertificateOrder> {
  const { parts, signal } = at
  const { name, id: order_id } = order
  const request = await parts.files.request({ name, order_id }, signal)
  if (request === null)
    throw deadOrder(
      `The key of the certificate for ${name} is gone from ${parts.files.directory}. A new one is ordered at the next try.`,
      { ladder: 'here' },
    )
  const chain_pem = await chainOf(at, order, seen)
  const leaf = leafIn(at, chain_pem)
  const fault = unfitness(leaf, await expected(at, order, { request, chain_pem }))
  if (fault !== null) throw handedOut(at, fault)
  const { fingerprint } = leaf
  const { key_pem } = request
  await parts.files.store({ name, fingerprint, key_pem, chain_pem }, signal)
  const digests = { chain_sha256: sha256([chain_pem]), key_sha256: sha256([key_pem]) }
  const written = { name, fingerprint, chain_pem, ...digests }
  return install(at, order, { leaf: { ...leaf, ari_id: parts.ariId(chain_pem) }, written })
}

/** An authority that shows the order and for an hour no proper certificate has none for us. */
async function chainOf(
  { parts, acme, signal }: At,
  order: CertificateOrder,
  seen: AcmeOrder,
): Promise<string> {
  try {
    return await asked(acme.certificate(seen, signal))
  } catch (error) {
    const given_up = order.updated_at + STUCK_AFTER <= parts.clock.now()
    if (!given_up || !(error instanceof Failure)) throw error
    throw new OrderFailure(error, { ladder: 'authority', dead: true })
  }
}

function leafIn(at: At, chain_pem: string): CertificateFacts {
  try {
    return at.parts.readChain(chain_pem)[0]!
  } catch {
    throw handedOut(at, 'a text that is no certificate chain')
  }
}

const handedOut = ({ acme }: At, what: string): Error =>
  deadOrder(
    `${new URL(acme.directory).host} handed out ${what}. It was not stored; a new order is made at the next try.`,
    { ladder: 'authority' },
  )

const expected = async (
  { parts }: At,
  { name, names, directory }: CertificateOrder,
  { request, chain_pem }: { readonly request: CertificateRequest; readonly chain_pem: string },
) => ({
  names,
  directory,
  key_fits: parts.keyFits(chain_pem, request.key_pem),
  replaces: await installedAs(parts, name),
  now: parts.clock.now(),
})

interface Installation {
  readonly leaf: CertificateFacts & Pick<InstalledCertificate, 'ari_id'>
  readonly written: KeptChain
}

async function install(
  { parts }: At,
  order: CertificateOrder,
  { leaf, written }: Installation,
): Promise<CertificateOrder> {
  const { name, directory } = order
  const { names, not_before, not_after, issuer, serial, key_type, fingerprint, ari_id } = leaf
  const at = parts.clock.now()
  const counted = issuedBy(order, at)
  const facts = { names, not_before, not_after, issuer, serial, key_type, fingerprint, ari_id }
  return saveStep(parts, order, {
    event: 'certificate_stored',
    also: async (tx) => {
      await tx.saveCertificate({ name, directory, ...facts, obtained_at: at, renewal: null })
      await tx.saveChain(written)
      if (counted !== null) await tx.addToLedger(counted)
      await tx.dropFailure(name)
    },
  })
}
