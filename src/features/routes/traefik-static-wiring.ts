/**
 * From settings to what the proxy's static configuration says of its entry points: by the file of it, which the proxy reads at its
 * start, as we do, or by its API.
 */
import { readFileSync } from 'node:fs'
import type { Settings } from '../../config/sections.ts'
import { systemClock } from '../../kernel/clock.ts'
import { Failure, fieldError } from '../../kernel/failure.ts'
import { readFailure } from '../../kernel/read-failure.ts'
import { shownSetup, staticSetup } from './grammar/static-config.ts'
import type { StaticSetup } from '../../ports/import-context.ts'
import type { ProxyEntrypoint } from './traefik/port.ts'
import { treeOf } from './routes-folder-wiring.ts'
import { proxyLine } from './traefik-wiring.ts'

const NAME = 'PLUMBLINE_TRAEFIK_STATIC'

/** Null where no file is set. Throws `bad_configuration` for one that cannot be read or is none. */
export function staticSetupOf({ routes: { static_file: file } }: Settings): StaticSetup | null {
  if (file === null) return null
  const setup = readSetup(file)
  if (setup === null) throw badFile(`${file} has no entryPoints: it is no static configuration of Traefik's`)
  return setup
}

function readSetup(file: string): StaticSetup | null {
  try {
    return staticSetup(treeOf(file, readFileSync(file, 'utf8')))
  } catch (cause) {
    throw badFile(cause instanceof Failure ? cause.message : `${file} ${readFailure(cause, 'file')}`)
  }
}

const badFile = (fault: string): Failure =>
  new Failure('bad_configuration', `${NAME}: ${fault}.`, { errors: [fieldError([NAME], fault, 'config')] })

export const staticEntrypoints = (settings: Settings): readonly ProxyEntrypoint[] | null =>
  staticSetupOf(settings)?.entrypoints.map(({ name, port, middlewares, tls, redirects, as_default }) => ({
    name,
    address: port === null ? '' : `:${port}`,
    middlewares,
    believes: [],
    ...(tls !== undefined && { tls }),
    ...(redirects && { redirects: true as const }),
    ...(as_default && { as_default: true as const }),
  })) ?? null

const WITHIN_MS = 3000

/** By the API of the proxy; null where none is set, or it does not answer, which whoever plans is told of. */
export async function proxySetupOf(settings: Settings): Promise<StaticSetup | null> {
  const line = proxyLine(settings, systemClock)
  if (line === null) return null
  try {
    return shownSetup(await line.api.entrypoints(AbortSignal.timeout(WITHIN_MS)))
  } catch (error) {
    if (error instanceof Failure || error instanceof DOMException) return null
    throw error
  } finally {
    await line.close()
  }
}
