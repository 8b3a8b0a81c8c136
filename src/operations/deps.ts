/** What every operation is given, and who calls it. */
import type { Engine } from '../engine/engine.ts'
import type { CommitHooks } from '../core/commit/hooks.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Offer } from '../model/domain/rules.ts'
import type { DiffRenderings, Render } from '../ports/rendering.ts'
import type { Ballast } from '../ports/storage-check.ts'
import type { Store } from '../ports/store.ts'
import type { BackendDesk } from '../features/domains/backend/desk.ts'
import type { Background } from '../core/background/background.ts'
import type { CertificatesDesk } from '../features/certificates/desk.ts'
import type { Ddns } from '../features/ddns/ddns.ts'
import type { DnsDesk } from '../features/dns/desk.ts'
import type { DnsWatch } from '../features/dns/integrity/watch.ts'
import type { HealthCheck } from '../core/check.ts'
import type { HealthDesk } from '../features/health/desk.ts'
import type { EventLog } from '../core/events/event-log.ts'
import type { MailDesk } from '../features/mail/desk.ts'
import type { Notifications } from '../features/notifications/desk.ts'
import type { PeopleDesk } from '../features/people/desk.ts'
import type { SsoDesk } from '../features/sso/desk.ts'
import type { Keys } from '../features/keys/key-view.ts'
import type { ProxyDesk } from '../features/routes/proxy/desk.ts'

export interface Deps {
  readonly store: Store
  /** What features say of changes of intent. */
  readonly hooks: () => readonly CommitHooks[]
  readonly ballast: Ballast
  readonly engine: Engine
  readonly events: EventLog
  readonly background: Background
  readonly health: HealthDesk
  readonly backend: BackendDesk
  readonly ddns: Ddns
  readonly keys: Keys
  readonly certificates: CertificatesDesk
  readonly dns: DnsDesk
  readonly dns_watch: DnsWatch
  readonly mail: MailDesk
  readonly people: PeopleDesk
  readonly sso: SsoDesk
  readonly notifications: Notifications
  readonly proxy: ProxyDesk
  readonly clock: Clock
  readonly log: Log
  /** What a record may refer to: entrypoints and middlewares. */
  readonly offer: Offer
  readonly render: Render
  readonly diffRenderings: DiffRenderings
  /** The fixed public address of the installation, or null while none is set. */
  readonly public_ip: string | null
  /** Port number of each entrypoint, for the identity view. */
  readonly entrypoint_ports: Readonly<Record<string, number>>
  readonly https_entrypoint: string
  readonly http_entrypoint: string
  readonly routes_path: string
  /** Looks at the other files beside it. */
  readonly routes_folder: Pick<HealthCheck, 'name' | 'look'>
  readonly deploy_status: DeployStatusKeeper
}

/** Where the last deploy-all is remembered: memory, then database, then a file beside the routes file. */
export interface DeployStatusKeeper {
  /** Null when this process has deployed nothing yet. */
  fromMemory(): string | null
  fromFile(): Promise<string | null>
  keep(status: string): Promise<void>
}
