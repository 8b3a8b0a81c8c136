/** Where the API key comes from, as `plumbline doctor` finds it: whoever reads its file is let in. */
import { join } from 'node:path'
import type { Finding } from '../cli/verb.ts'
import { bad, good, warning } from './finding.ts'
import { hidden, see, type Seen } from './seen.ts'
import type { World } from './world.ts'

export const apiKey: World = {
  async beside({ settings }) {
    if (settings.http.api_key !== null) return [good('API key', 'given by the environment')]
    const path = join(settings.store.data_dir, 'api-key')
    return [evaluateKeyFile(path, await see(path))]
  },
}

export function evaluateKeyFile(path: string, seen: Seen | 'hidden' | null): Finding {
  const check = 'API key'
  if (seen === 'hidden') return hidden(check, path)
  if (seen === null) return warning(check, `${path} does not exist yet`, 'It is made at the first start.')
  return seen.is_open_to_others
    ? bad(check, `${path} can be read by others`, `chmod 600 ${path}`)
    : good(check, path)
}
