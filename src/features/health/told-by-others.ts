/**
 * Answers of endpoints that look at what the health page looks at, too: what they have found is on the page before the answer
 * goes out.
 */
import { isoTime } from '../../kernel/clock.ts'
import { readAcmeStatus } from '../certificates/managed/acme-status.ts'
import { readDomainCertificate } from '../certificates/domain-certificate.ts'
import { type CertificatesAnswer, readCertificates } from '../certificates/managed/read-certificates.ts'
import type { Deps } from '../../operations/deps.ts'
import { readDnsStatus } from '../dns/zones/read-status.ts'
import { type MailHealth, mailHealth } from '../mail/health.ts'
import { readSsoDrift, type SsoDrift } from '../sso/read-drift.ts'
import type { LookedAt } from '../../core/check.ts'
import { judgeAcme, judgeCertificates, OLDEST_CONTENT_MS } from '../certificates/checks.ts'
import { noteServed } from '../certificates/wire/check.ts'
import { judgeResolvers } from '../dns/checks.ts'
import { judgeMail } from '../mail/checks.ts'
import { judgeAttachments, judgeRoutes } from '../sso/checks.ts'

type Findings<T> = Readonly<Record<string, (answer: T) => LookedAt>>

/** @param findings what the answer says of parts of the page, by their names */
async function told<T>(
  { clock, health }: Pick<Deps, 'clock' | 'health'>,
  answering: () => Promise<T>,
  findings: Findings<T>,
): Promise<T> {
  const began_ms = clock.elapsed()
  const answer = await answering()
  for (const [name, judge] of Object.entries(findings)) health.rounds.note(name, judge(answer), began_ms)
  return answer
}

export const tellSsoDrift = (deps: Deps, signal: AbortSignal): Promise<SsoDrift> =>
  told(deps, () => readSsoDrift(deps, signal), { sso_attachments: judgeAttachments, sso_routes: judgeRoutes })

export async function tellCertificates(deps: Deps, signal: AbortSignal): Promise<CertificatesAnswer> {
  const answer = await told(deps, () => readCertificates(deps, signal), { certificates: judgeCertificates })
  await noteServed(deps, signal)
  return answer
}

export async function tellDomainCertificate(
  deps: Deps,
  domain_id: number,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof readDomainCertificate>>> {
  const answer = await readDomainCertificate(deps, domain_id, signal)
  await noteServed(deps, signal)
  return answer
}

export const tellAcmeStatus = (deps: Deps, signal: AbortSignal): ReturnType<typeof readAcmeStatus> =>
  told(deps, () => readAcmeStatus(deps, signal), {
    acme: (status) => judgeAcme(status, isoTime(deps.clock.now() - OLDEST_CONTENT_MS)),
  })

export const tellDnsStatus = (
  deps: Pick<Deps, 'clock' | 'health' | 'dns_watch'>,
  signal: AbortSignal,
): ReturnType<typeof readDnsStatus> =>
  told(deps, () => readDnsStatus(deps.dns_watch.status, signal), { resolvers: judgeResolvers })

export const tellMailHealth = (deps: Deps, signal: AbortSignal): Promise<MailHealth> =>
  told(deps, () => mailHealth(deps.mail, signal), { mail: judgeMail })
