/** Every owner's settings: those of the daemon itself, and those that the features bring. */
import type { Manifest, Section } from '../core/manifest.ts'
import { FEATURES } from '../features.ts'
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

type OfFeature<Feature> = Feature extends { readonly settings: infer Sections } ? Sections : never

type Sections = typeof FIRST & Intersected<OfFeature<(typeof FEATURES)[number]>> & typeof LAST

/** In the order of the documentation. */
export const SECTIONS = sectionsOf([
  { name: 'daemon', settings: FIRST },
  ...FEATURES,
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
export function sectionsOf(manifests: readonly Manifest[]): Readonly<Record<string, Section>> {
  const all = manifests.flatMap(({ settings = {}, settings_after = {} }) =>
    Object.entries(settings).map(([owner, section], at, own) => ({
      owner,
      section,
      after: settings_after[owner] ?? own[at - 1]?.[0] ?? null,
    })),
  )
  const sections = new Map(all.map(({ owner, section }) => [owner, section]))
  if (sections.size < all.length) throw new Error('Two sections of settings have one name.')
  const behind = (place: string | null): readonly string[] =>
    all.filter(({ after }) => after === place).flatMap(({ owner }) => [owner, ...behind(owner)])
  const placed = behind(null)
  const lost = all.filter(({ owner }) => !placed.includes(owner))
  if (lost.length > 0)
    throw new Error(`No section is where these come behind it: ${lost.map(({ owner }) => owner).join(', ')}.`)
  return Object.fromEntries(placed.map((owner) => [owner, sections.get(owner)!]))
}
