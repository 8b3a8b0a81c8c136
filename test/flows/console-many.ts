/** A console over 10,000 domains of which every one is in trouble, 2,000 certificates, 10,000 assets or 10,000 clients of a network, with the answers put in its way. */
import type { Page, Route } from 'playwright-core'

export const MANY = 10_000

interface LampTable {
  readonly rows: readonly (readonly unknown[])[]
}

/** The answer itself, also to a page that has it and asks whether it has changed. */
function whole(route: Route) {
  const headers = { ...route.request().headers() }
  delete headers['if-none-match']
  return route.fetch({ headers })
}

/** To be called before the page is opened; the daemon has at least one domain, of which the others are copies. */
export async function showMany(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === '/api/domains',
    async (route) => {
      const response = await whole(route)
      const [first] = (await response.json()) as readonly object[]
      const json = Array.from({ length: MANY }, (_, index) => ({
        ...first,
        id: index + 1,
        domain: nameOf(index),
        backend_host: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        tags: index % 3 === 0 ? ['media'] : [],
      }))
      await route.fulfill({ response, json })
    },
  )
  await page.route(
    (url) => url.pathname === '/api/domains/lamps',
    async (route) => {
      const response = await whole(route)
      const table = (await response.json()) as LampTable
      const rows = Array.from({ length: MANY }, (_, index) => [
        index + 1,
        1,
        'xdxdu',
        index % 2 === 0,
        { route: 'edited', dns: 'foreign_owner' },
        null,
      ])
      await route.fulfill({ response, json: { ...table, rows } })
    },
  )
}

export const nameOf = (index: number): string => `app-${String(index).padStart(5, '0')}.home.example`

export const MANY_CERTIFICATES = 2000

/** In place of those of the daemon, whose manager and store stay as they are. */
export const showManyCertificates = (page: Page): Promise<unknown> =>
  page.route(
    (url) => url.pathname === '/api/certificates',
    async (route) => {
      const response = await whole(route)
      const json = (await response.json()) as object
      await route.fulfill({ response, json: { ...json, certificates: manyCertificates() } })
    },
  )

const CERTIFICATE = {
  source: 'manager',
  cause: null,
  domains: [],
  wanted: true,
  in_use: true,
  directory: 'letsencrypt',
  resolver: null,
  order_step: null,
  next_attempt_at: null,
  acts: [],
}
const FACTS = { issuer: 'CA', serial: '1', key_type: 'EC P-256', fingerprint: 'f' }
const HOUR = 3_600_000
const FIRST_END = Date.parse('2027-01-01T00:00:00.000Z')

const manyCertificates = () =>
  Array.from({ length: MANY_CERTIFICATES }, (_, index) => {
    const name = `app-${String(index).padStart(4, '0')}.home.example`
    const state = index % 9 === 0 ? 'under_14_days' : 'healthy'
    return {
      ...CERTIFICATE,
      name,
      names: [name],
      state,
      drift: index % 7 === 0 ? null : false,
      last_error: index % 5 === 0 ? 'The authority refused it.' : null,
      certificate: {
        ...FACTS,
        names: [name],
        state,
        not_before: '2026-10-01T00:00:00.000Z',
        not_after: new Date(FIRST_END + index * HOUR).toISOString(),
      },
    }
  })

const MANY_ASSETS = 10_000

/** No source is needed: the status is made up, too. */
export async function showManyAssets(page: Page): Promise<void> {
  const answered = (path: string, json: object) =>
    page.route(
      (url) => url.pathname === `/companions/inventory/api/${path}`,
      (route) => route.fulfill({ json }),
    )
  await answered('infrastructure/status', {
    sources: [{ kind: 'proxmox', name: 'lab', configured: true, known: true, detail: null }],
    checked_at: null,
    counts: { assets: MANY_ASSETS },
    networks: [],
    conflicts: 0,
    orphans: 0,
  })
  await answered(
    'assets',
    Array.from({ length: MANY_ASSETS }, (_, index) => ({
      ...ASSET,
      vmid: 100 + index,
      name: `guest-${String(index).padStart(5, '0')}`,
      state: index % 5 === 0 ? 'stopped' : 'running',
      addresses: [`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`],
      domains: index % 3 === 0 ? [nameOf(index)] : [],
    })),
  )
}

const ASSET = {
  kind: 'qemu',
  cluster: 'lab',
  node: 'pve1',
  purpose: null,
  sequence: null,
  in_scheme: null,
  template: false,
  macs: [],
  tags: ['media'],
  ssh_target: null,
  detail: null,
}

const MANY_CLIENTS = 10_000

/** No controller is needed: its summary is made up, too. */
export async function showManyClients(page: Page): Promise<void> {
  const answered = (path: string, json: object) =>
    page.route(
      (url) => url.pathname === `/api/network/${path}`,
      (route) => route.fulfill({ json }),
    )
  await answered('summary', { configured: true, complete: true, sources: [], sites: [] })
  await answered('lan-hosts', {
    configured: true,
    complete: true,
    sources: [],
    hosts: Array.from({ length: MANY_CLIENTS }, (_, index) => {
      // Neither names nor addresses nor cards come in the order of another one.
      const mixed = (index * 7919) % MANY_CLIENTS
      const [high, low] = [mixed >> 8, mixed & 255]
      return {
        ...CLIENT,
        mac: `02:00:5e:10:${hex(low)}:${hex(high)}`,
        name: `client-${String(index).padStart(5, '0')}`,
        address: index % 11 === 0 ? null : `10.1.${high}.${low}`,
        online: index % 3 !== 0,
        network: `VLAN ${index % 7}`,
        vendor: index % 2 === 0 ? 'Espressif' : null,
        last_seen: new Date(FIRST_END - mixed * HOUR).toISOString(),
      }
    }),
  })
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

const CLIENT = {
  controller: 'home',
  site: 'default',
  kind: 'client',
  hostname: null,
  wired: false,
  guest: false,
  vlan: 20,
}
