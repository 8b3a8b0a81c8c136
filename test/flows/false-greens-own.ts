/** The endpoint of each part of the house's own, and when it says that nothing is wrong. */
import type { readAcmeStatus } from '../../src/features/certificates/managed/acme-status.ts'
import type { HealthAnswer } from '../../src/features/health/read-health.ts'
import { type OwnEndpoint, wrongOf } from './false-greens.ts'

type AcmeStatus = Awaited<ReturnType<typeof readAcmeStatus>>

interface Drifting {
  readonly drift: boolean | null
}

const driftAt = (path: string): OwnEndpoint => ({ path, isClean: ({ drift }: Drifting) => drift === false })

interface RoutesDrift extends Drifting {
  readonly disk_checksum: string | null
  readonly released_checksum: string | null
}

export const ROUTES: OwnEndpoint = {
  path: '/api/domains/drift',
  isClean: ({ drift, disk_checksum, released_checksum }: RoutesDrift) =>
    drift === false && disk_checksum === released_checksum,
}
export const RECORDS = driftAt('/api/dns/records')
export const CERTIFICATES = driftAt('/api/certificates')
export const SSO = driftAt('/api/sso/drift')
export const CLIENTS = driftAt('/api/ssh-clients')
export const LOADED = driftAt('/api/deploy/status')
export const USERS: OwnEndpoint = {
  path: '/api/users',
  isClean: (users: readonly Drifting[]) => users.every(({ drift }) => drift === false),
}
export const RESOLVERS: OwnEndpoint = {
  path: '/api/dns/status',
  isClean: ({ ok }: { readonly ok: boolean | null }) => ok === true,
}
export const STORE: OwnEndpoint = {
  path: '/api/acme/status',
  isClean: ({ acme_storage_present, error }: AcmeStatus) => acme_storage_present === true && error === null,
}
/** The health page itself is its endpoint: asked afresh. */
export const probed = (part: string): OwnEndpoint => ({
  path: '/api/control-plane/health?probe=true',
  isClean: (page: HealthAnswer) => wrongOf(page, part) === null,
})
