/** Worlds that the database has kept and that this shell's settings do not name: a look without a daemon does not see them. */
import { isComponent, SET_UP_BY } from '../model/component.ts'
import { expectGood, type Api } from './api.ts'

/** What was not looked at, as sentences; null where a daemon answers, whose settings are its own, and where all was looked at. */
export async function notSetUpHere(api: Api): Promise<string | null> {
  if (api.where !== 'this process') return null
  const { not_set_up } = await expectGood<{ readonly not_set_up: readonly string[] }>(api, {
    method: 'GET',
    path: '/api/modes',
  })
  if (not_set_up.length === 0) return null
  const each = not_set_up.map((component) => {
    const setting = isComponent(component) ? SET_UP_BY[component] : null
    return `${component} was not looked at${setting === null ? '' : `: ${setting} is not set here`}.`
  })
  return `No daemon runs, so the settings of this shell count. ${each.join(' ')}`
}
