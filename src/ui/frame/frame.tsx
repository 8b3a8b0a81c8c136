/** The frame of every page: rail, bar with search and line state, bands, tabs on a phone. */
import type { ComponentChildren } from 'preact'
import { session, signOut } from '../api/session.ts'
import { path } from '../address.ts'
import { actorName } from '../model/words.ts'
import { Icon, Mark } from '../parts/icons.tsx'
import { openPalette } from '../parts/find/palette.tsx'
import { Bands } from './bands.tsx'
import { More } from './more.tsx'
import { KEPT_TRUE, LOOKED_AT, PLACES, type PageLink } from './places.ts'
import { Wire } from './wire.tsx'

export interface Counts {
  readonly domains: number
  readonly differs: number
  readonly pending: number
  /** Things that need somebody: the number in the title. */
  readonly needs: number
}

interface Props {
  readonly crumb: ComponentChildren
  readonly children: ComponentChildren
  readonly counts: Counts | null
}

export function Frame({ crumb, children, counts }: Props) {
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <div class="frame">
        <Rail counts={counts} />
        <div>
          <header class="bar">
            <span class="phone">
              <Mark width={18} height={20} />
            </span>
            <nav class="crumb" aria-label="Where you are">
              {crumb}
            </nav>
            <button
              type="button"
              class="find"
              aria-label="Find a domain, do a thing"
              onClick={() => openPalette()}
            >
              <Icon name="search" />
              <span>Find a domain, do a thing</span>
              <kbd>/</kbd>
            </button>
            <Wire />
          </header>
          <main class="page" id="main" tabIndex={-1}>
            <Bands />
            {children}
          </main>
        </div>
      </div>
      <Tabs counts={counts} />
    </>
  )
}

const isAt = (to: string): boolean => (to === '/' ? path.value === '/' : path.value.startsWith(to))

function Rail({ counts }: { readonly counts: Counts | null }) {
  return (
    <nav class="rail" aria-label="Pages">
      <a class="brand" href="/">
        <Mark />
        Plumbline
      </a>
      {PLACES.map((place) => (
        <RailLink key={place.to} place={place}>
          <PlaceCount to={place.to} counts={counts} />
        </RailLink>
      ))}
      <h2>Kept true</h2>
      {KEPT_TRUE.map((place) => (
        <RailLink key={place.to} place={place} />
      ))}
      <h2>Looked at</h2>
      {LOOKED_AT.map((place) => (
        <RailLink key={place.to} place={place} />
      ))}
      <Who />
    </nav>
  )
}

function RailLink({ place, children }: { readonly place: PageLink; readonly children?: ComponentChildren }) {
  return (
    <a class="to" href={place.to} aria-current={isAt(place.to) ? 'page' : undefined}>
      <Icon name={place.icon} />
      {place.name}
      {children}
    </a>
  )
}

function PlaceCount({ to, counts }: { readonly to: string; readonly counts: Counts | null }) {
  if (counts === null) return null
  if (to === '/domains' && counts.domains > 0) return <span class="n">{counts.domains}</span>
  if (to === '/drift' && counts.differs > 0) return <span class="n drift">{counts.differs}</span>
  if (to === '/changes' && counts.pending > 0) return <span class="n pending">{counts.pending} saved</span>
  return null
}

function Who() {
  const own = session.value
  if (own === null) return null
  return (
    <div class="who">
      <span>
        {actorName(own.actor)} · {own.may === 'change' ? 'may change' : 'may look'}
      </span>
      {own.way !== 'sso' && (
        <button type="button" class="copy" onClick={() => void signOut()}>
          Sign out
        </button>
      )}
    </div>
  )
}

function Tabs({ counts }: { readonly counts: Counts | null }) {
  return (
    <nav class="tabs phone" aria-label="Main pages">
      {PLACES.map(({ to, name, icon }) => (
        <a key={to} href={to} aria-current={isAt(to) ? 'page' : undefined}>
          <Icon name={icon} size={18} />
          {name}
          {to === '/drift' && counts !== null && counts.differs > 0 && <i class="dot" />}
        </a>
      ))}
      <More />
    </nav>
  )
}
