/** Where the database lies, as `plumbline doctor` finds it: ours alone, and writable. */
import type { Finding } from '../cli/verb.ts'
import { bad, good, warning } from './finding.ts'
import { hidden, see, type Seen } from './seen.ts'
import type { World } from './world.ts'

export const dataDirectory: World = {
  async beside({ settings }) {
    const { data_dir } = settings.store
    return [evaluateDataDirectory(data_dir, await see(data_dir))]
  },
}

export function evaluateDataDirectory(path: string, seen: Seen | 'hidden' | null): Finding {
  const check = 'data directory'
  if (seen === 'hidden') return hidden(check, path)
  if (seen === null) return warning(check, `${path} does not exist yet`, 'It is made at the first start.')
  if (!seen.is_writable)
    return bad(check, `${path} is not writable`, 'Give it to the user that runs Plumbline.')
  if (seen.is_writable_by_others)
    return warning(
      check,
      `${path} can be written to by others, who could plant a key there`,
      `chmod 700 ${path}`,
    )
  return seen.is_open_to_others
    ? warning(check, `${path} can be read by others`, `chmod 700 ${path}`)
    : good(check, path)
}
