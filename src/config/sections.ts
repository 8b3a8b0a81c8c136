/** The one list of all owners' settings. Whoever adds a section adds it here. */
import { certificates } from '../features/certificates/settings.ts'
import { ddns } from '../features/ddns/settings.ts'
import { dns } from '../features/dns/settings.ts'
import { docker } from '../features/discovery/settings/docker.ts'
import { edges } from '../features/edges/settings.ts'
import { engine } from './sections/engine.ts'
import { http } from './sections/http.ts'
import { log } from './sections/log.ts'
import { mail } from '../features/mail/settings.ts'
import { notify } from '../features/notifications/settings.ts'
import { people } from '../features/people/settings.ts'
import { proxmox } from '../features/discovery/settings/proxmox.ts'
import { resolver } from '../features/dns/resolver/settings.ts'
import { routes } from '../features/routes/settings.ts'
import { sso } from '../features/sso/settings.ts'
import { ssh } from '../features/ssh-clients/settings.ts'
import { store } from './sections/store.ts'
import { traefik } from '../features/routes/traefik/settings.ts'
import { unifi } from '../features/discovery/settings/unifi.ts'
import type { AnySetting, Setting } from './setting.ts'

export const SECTIONS = {
  http,
  store,
  engine,
  routes,
  traefik,
  dns,
  ddns,
  resolver,
  certificates,
  sso,
  people,
  mail,
  ssh,
  edges,
  notify,
  docker,
  proxmox,
  unifi,
  log,
}

type Value<S> = S extends Setting<infer T> ? T : never

/** Every setting's value, by owner: `settings.http.listen.port`. */
export type Settings = {
  readonly [Owner in keyof typeof SECTIONS]: {
    readonly [Key in keyof (typeof SECTIONS)[Owner]]: Value<(typeof SECTIONS)[Owner][Key]>
  }
}

export interface Declared {
  readonly owner: string
  readonly key: string
  readonly setting: AnySetting
}

/** All settings in the order of the documentation. */
export const ALL: readonly Declared[] = Object.entries(SECTIONS).flatMap(([owner, section]) =>
  Object.entries(section).map(([key, setting]) => ({ owner, key, setting: setting as AnySetting })),
)
