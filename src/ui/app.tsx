/** Which page stands at which address; pages beyond the first are fetched when they are first opened. */
import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { domainOf, go, path } from './address.ts'
import { useResource } from './api/cache.ts'
import { sessionState, wasIn } from './api/session.ts'
import type { EverythingDrift, HealthComponent, Overview as OverviewAnswer } from './api/types.ts'
import { Frame, type Counts } from './frame/frame.tsx'
import { PAGE_ACTS } from './frame/page-acts.ts'
import { ALL_PLACES } from './frame/places.ts'
import { driftCount, lampOfHealth, needsSomebody } from './model/lamps.ts'
import { driftTotal, rowsThatFollow } from './model/text/follows.ts'
import { visible } from './model/visible.ts'
import { Overview } from './pages/overview/overview.tsx'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { ActHost } from './parts/acts.tsx'
import { Sprite } from './parts/icons.tsx'
import { addKeys } from './parts/keys.ts'
import { NotLoaded } from './parts/later.tsx'
import { Empty, Loading } from './parts/panel.tsx'
import { openPalette, PaletteHost } from './parts/find/palette.tsx'

type Page = ComponentType<Record<never, never>>

interface PageEntry {
  readonly title: string
  readonly load: () => Promise<Page>
}

const access = () => import('./pages/access/access.tsx')
const certificates = () => import('./pages/certificates/certificates.tsx')
const dns = () => import('./pages/dns/dns.tsx')
const beyond = () => import('./pages/beyond.ts')
const granted = () => import('./pages/granted.ts')
const inventory = () => import('./pages/inventory/inventory.tsx')
const lan = () => import('./pages/lan/lan.tsx')
const map = () => import('./pages/map/map.tsx')
const lookedAt = () => import('./pages/looked-at.ts')
const domains = () => import('./pages/domains/domains.tsx')
const ssh = () => import('./pages/ssh/ssh.tsx')
const people = () => import('./pages/people/people.tsx')
const newDomain = () => import('./pages/new-domain.ts')
const oneDomain = () => import('./pages/domain/domain.tsx')

const PLACES = new Map<string, PageEntry>([
  ['/', { title: 'Overview', load: async () => Overview }],
  ['/domains', { title: 'Domains', load: async () => (await domains()).Domains }],
  ['/domains/new', { title: 'New domain', load: async () => (await newDomain()).NewDomain }],
  ['/drift', { title: 'Drift', load: async () => (await beyond()).Drift }],
  ['/changes', { title: 'Changes', load: async () => (await beyond()).Changes }],
  ['/dns', { title: 'DNS', load: async () => (await dns()).Dns }],
  ['/certificates', { title: 'Certificates', load: async () => (await certificates()).Certificates }],
  ['/ddns', { title: 'Dynamic DNS', load: async () => (await granted()).Ddns }],
  ['/ssh', { title: 'SSH clients', load: async () => (await ssh()).Ssh }],
  ['/edges', { title: 'Edges', load: async () => (await granted()).Edges }],
  ['/access', { title: 'Access', load: async () => (await access()).Access }],
  ['/people', { title: 'People', load: async () => (await people()).People }],
  ['/map', { title: 'Map', load: async () => (await map()).DeployedMapPage }],
  ['/lan', { title: 'Network', load: async () => (await lan()).Lan }],
  ['/discover', { title: 'Discover', load: async () => (await lookedAt()).Discover }],
  ['/inventory', { title: 'Inventory', load: async () => (await inventory()).Inventory }],
  ['/vpn', { title: 'VPN', load: async () => (await lookedAt()).Vpn }],
  ['/system', { title: 'System', load: async () => (await beyond()).System }],
  ['/start', { title: 'First steps', load: async () => (await newDomain()).Start }],
])

const ONE_DOMAIN: PageEntry = { title: '', load: async () => (await oneDomain()).DomainPage }

function placeAt(where: string): PageEntry | null {
  const name = domainOf(where)
  if (name !== null) return ONE_DOMAIN
  return PLACES.get(where.length > 1 ? where.replace(/\/$/, '') : where) ?? null
}

export function App() {
  return (
    <>
      <Sprite />
      <Gate />
    </>
  )
}

function Gate() {
  const state = sessionState.value
  if (state.kind === 'asking') return <Loading what="the console" />
  const isIn = state.kind === 'in'
  // What was typed stays where it is: the sign-in page stands over the present one. Who signs out leaves nothing behind.
  const keeps = isIn || (state.kind !== 'left' && wasIn.value)
  return (
    <>
      {keeps && (
        <div class={isIn ? 'whole' : 'whole away'} inert={!isIn}>
          <Signed />
        </div>
      )}
      {!isIn && <SignIn />}
    </>
  )
}

function Signed() {
  const counts = useCounts()
  useKeys()
  const where = path.value
  const name = domainOf(where)
  const place = placeAt(where)
  useTitle(name ?? place?.title ?? 'Not here', counts)
  return (
    <Frame counts={counts} crumb={<Crumb where={where} title={place?.title ?? 'Not here'} />}>
      {place === null ? <NotHere where={where} /> : <Lazy key={place.title} place={place} />}
      <PaletteHost places={ALL_PLACES} acts={PAGE_ACTS} />
      <ActHost />
    </Frame>
  )
}

function Crumb({ where, title }: { readonly where: string; readonly title: string }) {
  const name = domainOf(where)
  if (name === null && where !== '/domains/new') return <b>{title}</b>
  return (
    <>
      <a href="/domains">Domains</a> / <b>{name === null ? title : visible(name)}</b>
    </>
  )
}

function Lazy({ place }: { readonly place: PageEntry }) {
  const loaded = useSignal<{ readonly page: Page } | 'failed' | null>(
    place.title === 'Overview' ? { page: Overview } : null,
  )
  useEffect(() => {
    if (loaded.peek() !== null) return
    place.load().then(
      (page) => {
        loaded.value = { page }
      },
      () => {
        loaded.value = 'failed'
      },
    )
  }, [])
  const state = loaded.value
  if (state === null) return <Loading what={place.title} />
  if (state === 'failed') return <NotLoaded />
  const { page: Shown } = state
  return <Shown />
}

const NotHere = ({ where }: { readonly where: string }) => (
  <Empty title={`There is no page at ${visible(where)}.`}>
    <a class="btn" href="/">
      To the overview
    </a>
  </Empty>
)

/** What the page Drift lists beside what is made true. */
const WORLDS: ReadonlySet<string> = new Set(['proxy', 'routes_folder', 'certificates_served'])
const isWorld = ({ kind, component }: Pick<HealthComponent, 'kind' | 'component'>): boolean =>
  kind === 'kept' || WORLDS.has(component)

function useCounts(): Counts | null {
  const overview = useResource<OverviewAnswer>('/api/overview').value
  // While the page is shown, the number is the one that it shows.
  const shown = useResource<EverythingDrift>(path.value === '/drift' ? '/api/drift' : '').value
  if (overview === undefined) return null
  const { components } = overview.health
  const following = rowsThatFollow(components)
  const seen = components
    .filter((row) => isWorld(row) && lampOfHealth(row) === 'drift' && !following.has(row.name))
    .reduce((sum, { causes }) => sum + driftCount(causes), 0)
  const differs = shown === undefined ? seen : driftTotal(shown.components).total
  const needs = components.filter((row) => needsSomebody(lampOfHealth(row))).length
  return { domains: overview.counts.total, differs, pending: overview.counts.pending_deploy, needs }
}

/** `(3) Drift – Plumbline`: the number is what needs you. */
function useTitle(title: string, counts: Counts | null): void {
  const needs = counts?.needs ?? 0
  useEffect(() => {
    document.title = `${needs > 0 ? `(${needs}) ` : ''}${visible(title)} – Plumbline`
  }, [title, needs])
}

/** They are there when the frame is: whoever sees the page can press. */
function useKeys(): void {
  useLayoutEffect(
    () =>
      addKeys([
        { keys: '/', label: 'Search', run: openPalette },
        { keys: 'mod+k', label: 'Find and do', run: openPalette },
        { keys: '?', label: 'Keys', run: () => openPalette('keys') },
        { keys: 'n', label: 'New domain', run: () => go('/domains/new') },
        ...ALL_PLACES.map(({ to, name, key }) => ({
          keys: `g ${key}`,
          label: `Go to ${name}`,
          run: () => go(to),
        })),
      ]),
    [],
  )
}
