/** From the setting to what the proxy's static configuration says of its entry points. It reads that at its start, and so do we. */
import { readFileSync } from 'node:fs'
import type { Settings } from './config/sections.ts'
import { Failure, fieldError } from './kernel/failure.ts'
import { type StaticSetup, staticSetup } from './operations/estate/traefik/static-config.ts'
import type { ProxyEntrypoint } from './ports/proxy.ts'
import { treeOf } from './routes-folder-wiring.ts'

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
    throw badFile(
      cause instanceof Failure ? cause.message : `${file} cannot be read (${(cause as Error).message})`,
    )
  }
}

const badFile = (fault: string): Failure =>
  new Failure('bad_configuration', `${NAME}: ${fault}.`, { errors: [fieldError([NAME], fault, 'config')] })

export const staticEntrypoints = (settings: Settings): readonly ProxyEntrypoint[] | null =>
  staticSetupOf(settings)?.entrypoints.map(({ name, port, middlewares, tls, redirects }) => ({
    name,
    address: port === null ? '' : `:${port}`,
    middlewares,
    believes: [],
    ...(tls !== undefined && { tls: true as const }),
    ...(redirects && { redirects: true as const }),
  })) ?? null
