/**
 * `GET /api/overview`: the installation in one answer, by what is known already, each part with its age. Nothing is looked at:
 * no request, no question to a name server, no file.
 */
import { readAudit } from '../../core/audit/read.ts'
import { componentGround } from '../../engine/act-ground.ts'
import { isOver, settingAt } from '../../engine/status/mode-setting.ts'
import { type Instant, isoTime, type Milliseconds } from '../../kernel/clock.ts'
import { actsOnAlert } from '../../model/acts/acts.ts'
import type { IndexedCertificates } from '../certificates/managed/certificate-index.ts'
import { ddnsRecords } from '../ddns/records.ts'
import { domainStats } from '../domains/read.ts'
import { healthWithActs } from '../health/with-acts.ts'
import { keptAlerts } from '../notifications/read.ts'
import type { Deps } from './deps.ts'

const HORIZON_MS: Milliseconds = 90 * 24 * 3_600_000
const MAX_ENTRIES = 10
const MAX_OPERATIONS = 20

export interface OverviewDeps extends Deps {
  /** How many certificate lamps are unknown. */
  readonly unknownCertificates: () => Promise<number>
}

export async function readOverview(deps: OverviewDeps, version: string) {
  const { store, events, background, certificates, clock } = deps
  const event = await events.newest()
  const [health, alerts, counts, operations, newest, addresses, trail, unknown, modes] = await Promise.all([
    healthWithActs(deps, { probe: false }),
    alertsOf(deps),
    domainStats(deps),
    background.list({ state: 'running', limit: MAX_OPERATIONS }),
    store.latestRelease(),
    addressesOf(deps),
    readAudit(deps, { limit: MAX_ENTRIES }),
    deps.unknownCertificates(),
    store.modes(),
  ])
  const now = clock.now()
  return {
    at: isoTime(now),
    event,
    version,
    health,
    alerts,
    counts,
    release:
      newest === null
        ? null
        : {
            release: newest.number,
            at: isoTime(newest.created_at),
            actor: newest.actor,
            reason: newest.reason,
          },
    operations,
    certificates: endsOf(certificates.index.last, now),
    modes_set: modes.filter((setting) => !isOver(settingAt(setting, now), now)).length,
    unknown_certificates: unknown,
    addresses,
    audit: trail.entries,
  }
}

/** Null before somebody has looked for them: that is not "none". */
async function alertsOf({ notifications, store, engine }: Deps) {
  const kept = await keptAlerts(notifications)
  if (kept === null) return null
  const ground = await componentGround({ store, engine })
  return {
    observed_at: isoTime(kept.at),
    open: kept.open.map((alert) => ({ ...alert, acts: actsOnAlert(ground, alert) })),
  }
}

/** Those that some domain uses, or is to use. Null before they were read. */
function endsOf(index: IndexedCertificates | null, now: Instant) {
  if (index === null) return null
  const used = index.certificates.filter(({ wanted }) => wanted)
  const ends = used
    .flatMap(({ name, source, certificate, domains, last_error }) =>
      certificate === null
        ? []
        : [{ name, source, not_after: certificate.not_after, domains: domains.length, last_error }],
    )
    .toSorted((a, b) => (a.not_after < b.not_after ? -1 : 1))
  const horizon = isoTime(now + HORIZON_MS)
  const near = ends.filter(({ not_after }) => not_after <= horizon)
  return {
    observed_at: isoTime(index.at),
    /** Why some are not known, else null. */
    detail: index.detail,
    ends: near,
    later: ends.length - near.length,
    missing: used.length - ends.length,
  }
}

/** What is published of the house: fixed by settings, or as gateways reported it. */
async function addressesOf({ store, ddns }: Deps) {
  const reported = await store.of(ddnsRecords).reportedAddresses()
  return {
    fixed: ddns.public_ip,
    reported: reported.map(({ host, ipv4, ipv6, changed_at, reported_at }) => ({
      host,
      ipv4,
      ipv6,
      changed_at: isoTime(changed_at),
      reported_at: isoTime(reported_at),
    })),
  }
}
