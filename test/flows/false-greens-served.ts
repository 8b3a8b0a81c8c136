/** A small house behind a proxy that serves TLS, and ways in which it shows a name another certificate than its own. */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acmeJson, certificateAuthority, type Issued } from '../fakes/certificate-authority.ts'
import { type FakeTraefik, startFakeTraefik } from '../fakes/traefik/traefik.ts'
import type { Ground, Way } from './false-greens.ts'
import { CERTIFICATES } from './false-greens-own.ts'
import { passingClock } from './passing-clock.ts'
import { createActive, openTestHouse } from './test-house.ts'

const NAME = 'app.example.com'
/** Each name is shaken hands with every five minutes. */
const SHAKEN_MS = 330_000

export interface ServedHouse extends Ground, AsyncDisposable {
  readonly traefik: FakeTraefik
  /** What the proxy serves from now on; nothing: its default certificate. */
  readonly serve: (...issued: readonly Issued[]) => void
  /** Of the name, valid for as long as that. */
  readonly issue: (days: number, names?: readonly string[]) => Issued
  readonly own: Issued
  /** The proxy's store. */
  readonly store: string
}

export async function openServedHouse(): Promise<ServedHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-served-'))
  const store = join(folder, 'acme.json')
  const authority = certificateAuthority()
  const issue = (days: number, names: readonly string[] = [NAME]) => authority.issue({ names, days })
  const own = issue(60)
  writeFileSync(store, acmeJson([own]), { mode: 0o600 })
  const clock = passingClock()
  const traefik = await startFakeTraefik()
  const serve = (...issued: readonly Issued[]) =>
    traefik.provide('docker', {
      tls: { certificates: issued.map(({ cert, key }) => ({ certFile: cert, keyFile: key })) },
    })
  serve(own)
  const at = await openTestHouse({
    clock,
    env: {
      PLUMBLINE_MODE: 'observe',
      PLUMBLINE_ACME_STORE: store,
      PLUMBLINE_TLS_ADDRESS: traefik.address('websecure'),
    },
  })
  traefik.follow(at.house.routes_path)
  await createActive(at.call, { domain: NAME, auth_required: false })
  return {
    at,
    clock,
    pass: (ms) => Promise.resolve(clock.pass(ms)),
    traefik,
    serve,
    issue,
    own,
    store,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]()
      await traefik.stop()
      authority.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const inHandshake = (title: string, change: (house: ServedHouse) => void): Way<ServedHouse> => ({
  title: `served: ${title}`,
  part: 'certificates_served',
  within_ms: SHAKEN_MS,
  own: CERTIFICATES,
  must_drift: true,
  do: change,
  undo({ serve, store, own }) {
    serve(own)
    writeFileSync(store, acmeJson([own]), { mode: 0o600 })
  },
})

const leafOf = ({ cert, key }: Issued): Issued => ({ cert: new X509Certificate(cert).toString(), key })

export const SERVED_WAYS: readonly Way<ServedHouse>[] = [
  inHandshake('the default certificate', ({ serve }) => serve()),
  inHandshake('without what stands above it', ({ serve, own }) => serve(leafOf(own))),
  inHandshake('the one before, of which the store holds the successor', ({ store, issue }) =>
    writeFileSync(store, acmeJson([issue(90)]), { mode: 0o600 }),
  ),
  inHandshake('a certificate of another name', ({ traefik, issue }) => {
    const { cert, key } = issue(60, ['other.example.com'])
    const defaultCertificate = { certFile: cert, keyFile: key }
    traefik.provide('docker', { tls: { stores: { default: { defaultCertificate } } } })
  }),
  inHandshake('a key that does not fit, so that it is left out', ({ serve, own, issue }) =>
    serve({ cert: own.cert, key: issue(60).key }),
  ),
]
