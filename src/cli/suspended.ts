/** What is suspended among some components: nobody keeps it as it is, whatever a look has found. */
import { expectGood, type Api } from './api.ts'
import { shortTime } from './text/terminal.ts'
import { modeEndCommand, type SetMode } from '../model/mode.ts'

/** The mode that is in force for a component. */
export interface ModeInForce extends SetMode {
  readonly component: string
  readonly mode: string
  readonly expires_at: string | null
}

interface Modes {
  readonly components: readonly ModeInForce[]
}

export const modesInForce = async (api: Api): Promise<readonly ModeInForce[]> =>
  (await expectGood<Modes>(api, { method: 'GET', path: '/api/modes' })).components

/** One sentence with what to do; null where none of them is. `differs`: what is shown beside it. */
export async function suspendedAmong(
  api: Api,
  names: readonly string[],
  differs: 'nothing' | 'something' = 'nothing',
): Promise<string | null> {
  const some = (await modesInForce(api)).filter(
    ({ component, mode }) => mode === 'suspend' && names.includes(component),
  )
  if (some.length === 0) return null
  const what = differs === 'nothing' ? 'Nothing differs now' : 'Nothing else differs now'
  return `${what}, and nobody keeps it so: ${untilWhen(some)} ${some.length === 1 ? 'is' : 'are'} suspended. ${endsOf(some)} it now; "plumbline mode" says why.`
}

/** `dns, routes (until 2030-01-31 12:00:00Z)`: what ends at one time stands together. */
const untilWhen = (some: readonly ModeInForce[]): string =>
  [...Map.groupBy(some, ({ expires_at }) => expires_at)]
    .map(([expires_at, those]) => {
      const names = those.map(({ component }) => component).join(', ')
      return expires_at === null ? names : `${names} (until ${shortTime(expires_at)})`
    })
    .join(', ')

const endsOf = (some: readonly ModeInForce[]): string => {
  const ends = [...new Set(some.map((one) => `"${modeEndCommand(one)}"`))]
  return `${ends.join(' and ')} ${ends.length === 1 ? 'ends' : 'end'}`
}

/** How what is suspended among some components, all of them when none is named, is taken back; null where nothing is. */
export async function suspensionEnd(api: Api, component: string | undefined): Promise<string | null> {
  const some = (await modesInForce(api)).filter(
    (one) => one.mode === 'suspend' && (component === undefined || one.component === component),
  )
  if (some.length === 0) return null
  return `${endsOf(some)} the suspension now; "plumbline mode" says who set it, and until when.`
}
