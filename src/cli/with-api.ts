/** Opens the API for one verb and closes it whatever happens: a local one holds the lock of the data directory. */
import type { Api } from './api.ts'
import { progressLine } from './tell-progress.ts'
import type { VerbContext } from './verb.ts'

export async function withApi<T>(
  { surroundings, options, terminal }: VerbContext,
  use: (api: Api) => Promise<T>,
  { found = false, running = false } = {},
): Promise<T> {
  const api = await surroundings.api({ url: options['url'] as string | undefined, found, running })
  try {
    return await use({
      ...api,
      following: (operation) => terminal.status?.(operation === null ? null : progressLine(operation)),
    })
  } finally {
    await api.close()
  }
}
