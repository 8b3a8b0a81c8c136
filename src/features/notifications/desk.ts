/** Notifications as one thing with parts: what is looked at, who is told, and by whom. */
import type { Engine } from '../../engine/engine.ts'
import type { Clock, Instant, Milliseconds } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Edge, EdgeClock } from '../../model/edge.ts'
import type { InstalledCertificate } from '../certificates/records.ts'
import type { Notifier } from './notifier.ts'
import type { Store } from '../../ports/store.ts'
import type { CertificatesDesk } from '../certificates/desk.ts'
import type { Ddns } from '../ddns/ddns.ts'
import type { DnsWatch } from '../dns/integrity/watch.ts'
import type { HealthDesk } from '../health/desk.ts'
import type { Keys } from '../keys/key-view.ts'
import type { NotificationWatch } from './watch.ts'

export interface NotificationParts {
  readonly store: Store
  readonly engine: Pick<Engine, 'conditions'>
  readonly certificates: Pick<CertificatesDesk, 'store' | 'manager' | 'cert_resolver'>
  readonly edges: EdgeSights
  readonly health: Pick<HealthDesk, 'rounds' | 'invariants'>
  readonly dns_watch: Pick<DnsWatch, 'integrity'>
  readonly ddns: Pick<Ddns, 'tokens'>
  readonly keys: Pick<Keys, 'ring' | 'foreign'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** In [0, 1). */
  readonly random: () => number
  readonly notifiers: readonly Notifier[]
  readonly policy: NotificationPolicy
  /** When a certificate of ours is to be renewed. */
  readonly renewalAt: (certificate: InstalledCertificate) => Instant
  /** The component that proves routes closed. */
  readonly proof_component: string
  /** What the engine calls a zone. */
  readonly zoneKey: (zone: string) => string
  /** Where the installation is reached, for whoever reads a message. */
  readonly source: () => string
}

/** When edges were heard of. */
export interface EdgeSights {
  readonly contacts: { latest(edge: Edge): Edge }
  readonly time: () => EdgeClock
}

export interface NotificationPolicy {
  readonly after_ms: Milliseconds
  /** Null: never. */
  readonly repeat_ms: Milliseconds | null
  readonly certificate_days: readonly number[]
}

export interface Notifications {
  readonly parts: NotificationParts
  readonly watch: NotificationWatch
  prepare(): Promise<void>
  start(): void
  stop(): Promise<void>
}
