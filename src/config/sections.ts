/** Every owner's settings: those of the daemon itself, and those that the features bring. */
import type { Manifest, Sections as AnySections } from '../feature/manifest.ts'
import { FEATURES } from '../features.ts'
import { inOrder } from '../kernel/in-order.ts'
import { engine } from './sections/engine.ts'
import { http } from './sections/http.ts'
import { log } from './sections/log.ts'
import { store } from './sections/store.ts'
import type { AnySetting, ValuesOf } from './setting.ts'

const FIRST = { http, store, engine }
const LAST = { log }

type Intersected<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

type OfFeature<Feature> = Feature extends { readonly settings: () => Promise<infer Sections> }
  ? Sections
  : never

type Sections = typeof FIRST & Intersected<OfFeature<(typeof FEATURES)[number]>> & typeof LAST

/** A manifest whose settings are loaded. */
interface Brought extends Pick<Manifest, 'name' | 'settings_after'> {
  readonly settings?: AnySections
}

/** What the features bring, in the order of their list. */
export const BROUGHT: readonly Brought[] = await Promise.all(
  FEATURES.map(async (manifest: Manifest) => ({
    ...manifest,
    settings: (await manifest.settings?.()) ?? {},
  })),
)

/** In the order of the documentation. */
export const SECTIONS = sectionsOf([
  { name: 'daemon', settings: FIRST },
  ...BROUGHT,
  { name: 'log', settings: LAST },
]) as Sections

/** Every setting's value, by owner: `settings.http.listen.port`. */
export type Settings = {
  readonly [Owner in keyof Sections]: ValuesOf<Sections[Owner]>
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

/** In the order of the list, but each that names another one directly behind that, along with those that follow it. */
export function sectionsOf(manifests: readonly Brought[]): AnySections {
  const all = manifests.flatMap(({ settings = {}, settings_after = {} }) =>
    Object.entries(settings).map(([name, section], at, own) => ({
      name,
      section,
      after: settings_after[name] ?? own[at - 1]?.[0] ?? null,
    })),
  )
  return Object.fromEntries(inOrder(all, 'section').map(({ name, section }) => [name, section]))
}
