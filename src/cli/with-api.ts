/** Opens the API for one verb and closes it whatever happens: a local one holds the lock of the data directory. */
import type { Api } from './api.ts'
import { Misuse } from './misuse.ts'
import { progressLine } from './tell-progress.ts'
import type { VerbContext } from './verb.ts'

export async function withApi<T>(
  { surroundings, options, terminal }: VerbContext,
  use: (api: Api) => Promise<T>,
  { found = false, running = false } = {},
): Promise<T> {
  const api = await surroundings.api({ url: addressIn(options), found, running })
  try {
    return await use({
      ...api,
      following: (operation) => terminal.status?.(operation === null ? null : progressLine(operation)),
    })
  } finally {
    await api.close()
  }
}

/** Of the daemon to ask, where one is named. */
function addressIn({ url }: VerbContext['options']): string | undefined {
  if (typeof url !== 'string') return undefined
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return url
  throw new Misuse(`--url takes an address such as http://127.0.0.1:8080, not "${url.slice(0, 80)}".`)
}
