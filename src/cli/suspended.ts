/** What is suspended among some components: nobody keeps it as it is, whatever a look has found. */
import { expectGood, type Api } from './api.ts'
import { shortTime } from './text/terminal.ts'

interface Modes {
  readonly components: readonly {
    readonly component: string
    readonly mode: string
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
