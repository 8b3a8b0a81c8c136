/** Reads what acts are decided by. */
import type { Engine } from './engine.ts'
import { isOfSettings, liftedBy } from './status/mode-setting.ts'
import type { ActGround } from '../model/acts/ground.ts'
import type { Store } from '../ports/store.ts'

interface GroundParts {
  readonly store: Pick<Store, 'intent' | 'latestRelease'>
  readonly engine: Pick<Engine, 'applyOrder' | 'modeOf' | 'mayBeIgnored'>
}

/** For what is told of components: records are not looked up by name. */
export async function componentGround({
  store,
  engine,
}: Omit<GroundParts, 'store'> & { readonly store: Pick<Store, 'latestRelease'> }): Promise<ActGround> {
  const newest = await store.latestRelease()
  const components = new Set(engine.applyOrder())
  return {
    isKept: (component) => components.has(component),
    mayBeIgnored: (component) => engine.mayBeIgnored(component),
    suspendedBy: (component) => {
      if (!components.has(component)) return null
      const setting = engine.modeOf(component)
      return setting.mode === 'suspend' ? `${component} is suspended: ${liftedBy(setting)}` : null
    },
    modeBefore: (component) => {
      if (!components.has(component)) return null
      const setting = engine.modeOf(component)
      if (setting.mode === 'repair') return null
      return { scope: setting.scope, why_not: isOfSettings(setting) ? liftedBy(setting) : null }
    },
    idOf: () => undefined,
    release: newest?.number ?? 0,
  }
}

export async function actGround(parts: GroundParts): Promise<ActGround> {
  const { store } = parts
  const ids = new Map<string, number>()
  for (const { rows } of [await store.intent('released'), await store.intent('working')])
    for (const { fields, domain_id } of rows) ids.set(fields.domain, domain_id)
  return { ...(await componentGround(parts)), idOf: (domain) => ids.get(domain) }
}
