/** Every owner's settings: those of the daemon itself, and those that features bring, which are handed in. */
import { inOrder } from '../kernel/in-order.ts'
import { engine } from './sections/engine.ts'
import { http } from './sections/http.ts'
import { log } from './sections/log.ts'
import { store } from './sections/store.ts'
import type { AnySections, AnySetting, ValuesOf } from './setting.ts'

const FIRST = { http, store, engine }
const LAST = { log }

/** The daemon's own. A feature adds its sections here where it declares them: `declare module`, in its `settings.ts`. */
export interface Sections {
  readonly http: typeof http
  readonly store: typeof store
  readonly engine: typeof engine
  readonly log: typeof log
}

/** Every setting's value, by owner: `settings.http.listen.port`. */
export type Settings = {
  readonly [Owner in keyof Sections]: ValuesOf<Sections[Owner]>
}

/** The settings of a feature, loaded. */
export interface Brought {
  /** Of the feature. */
  readonly name: string
  readonly settings?: AnySections
  /** Which section another one comes behind, as `plumbline config` shows them. */
  readonly settings_after?: Readonly<Record<string, string>>
}

export interface Declared {
  readonly owner: string
  readonly key: string
  readonly setting: AnySetting
}

/** The daemon's own sections and all that is brought, in the order of `plumbline config`. */
export const allSections = (brought: readonly Brought[]): Sections =>
  sectionsOf([
    { name: 'daemon', settings: FIRST },
    ...brought,
    { name: 'log', settings: LAST },
  ]) as unknown as Sections

/** All settings in the order of their sections. */
export const declaredIn = (sections: Sections): readonly Declared[] =>
  Object.entries(sections).flatMap(([owner, section]) =>
    Object.entries(section as Readonly<Record<string, AnySetting>>).map(([key, setting]) => ({
      owner,
      key,
      setting,
    })),
  )

/**
 * In the order of the list, but each that names another one directly behind that, along with those that follow it. Throws for a
 * place of a section that its feature does not bring.
 */
export function sectionsOf(manifests: readonly Brought[]): AnySections {
  const all = manifests.flatMap(({ name: feature, settings = {}, settings_after = {} }) => {
    const unknown = Object.keys(settings_after).filter((name) => !(name in settings))
    if (unknown.length > 0) throw new Error(`No section of ${feature} is called ${unknown.join(', ')}.`)
    return Object.entries(settings).map(([name, section], at, own) => ({
      name,
      section,
      after: settings_after[name] ?? own[at - 1]?.[0] ?? null,
    }))
  })
  return Object.fromEntries(inOrder(all, 'section').map(({ name, section }) => [name, section]))
}
