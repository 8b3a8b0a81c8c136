/** What is suspended among some components: nobody keeps it as it is, whatever a look has found. */
import { expectGood, type Api } from './api.ts'
import { shortTime } from './text/terminal.ts'

interface Modes {
  readonly components: readonly {
    readonly component: string
    readonly mode: string
    /** Of the setting that is in force: the component, or `*` for everything. */
    readonly scope: string
    readonly expires_at: string | null
  }[]
}

/** One sentence; null where none of them is. */
export async function suspendedAmong(api: Api, names: readonly string[]): Promise<string | null> {
  const { components } = await expectGood<Modes>(api, { method: 'GET', path: '/api/modes' })
  const some = components.filter(({ component, mode }) => mode === 'suspend' && names.includes(component))
  if (some.length === 0) return null
  const who = some.map(({ component, expires_at }) =>
    expires_at === null ? component : `${component} (until ${shortTime(expires_at)})`,
  )
  return `Nothing differs now, and nobody keeps it so: ${who.join(', ')} ${some.length === 1 ? 'is' : 'are'} suspended. "plumbline mode" says why.`
}

/** How what is suspended among some components, all of them when none is named, is taken back; null where nothing is. */
export async function suspensionEnd(api: Api, component: string | undefined): Promise<string | null> {
  const { components } = await expectGood<Modes>(api, { method: 'GET', path: '/api/modes' })
  const some = components.filter(
    (one) => one.mode === 'suspend' && (component === undefined || one.component === component),
  )
  const ends = [...new Set(some.map(({ scope }) => scope))].map((scope) =>
    scope === '*' ? '"plumbline mode set repair"' : `"plumbline mode set repair ${scope}"`,
  )
  if (ends.length === 0) return null
  return `${ends.join(' and ')} ${ends.length === 1 ? 'ends' : 'end'} the suspension now; "plumbline mode" says who set it, and until when.`
}
