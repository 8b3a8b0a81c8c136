/** The examination of `plumbline doctor`: Node, the settings, and then every world at its moments. */
import { type Api, expectGood } from '../cli/api.ts'
import type { Finding } from '../cli/verb.ts'
import type { LoadedConfig } from '../config/load.ts'
import { Failure } from '../kernel/failure.ts'
import { hasDatabase } from './database.ts'
import { bad } from './finding.ts'
import { evaluateNode } from './node.ts'
import { readSettings } from './settings.ts'
import type { Ask, World } from './world.ts'
import { WORLDS } from './worlds.ts'

/**
 * @param open the API of the running daemon, or of this process; asked for only where there is a database to open
 * @param findings what is found comes here, one world after the other
 */
export async function examine(
  load: () => LoadedConfig,
  open: (config: LoadedConfig) => Promise<Api>,
  worlds: readonly World[] = WORLDS,
  findings: Finding[] = [],
): Promise<readonly Finding[]> {
  const { config, findings: of_settings } = readSettings(load)
  findings.push(evaluateNode(process.versions.node), ...of_settings)
  if (config === null) return findings
  /** One after the other: none is to answer slowly because another one asks, too. */
  const inTurn = async (look: (world: World) => Promise<readonly Finding[]> | undefined): Promise<void> => {
    for (const world of worlds) findings.push(...((await look(world)) ?? []))
  }
  await inTurn(({ beside }) => beside?.(config))
  if (!(await hasDatabase(config))) return findings
  const refusal = await throughApi(
    () => open(config),
    (ask) => inTurn((world) => unlessRefused(world.asked?.(ask, config))),
  )
  findings.push(...refusal)
  // The opening of the API brings an older schema up to date and closes what a crash left open.
  await inTurn((world) => world.afterwards?.(config))
  return findings
}

/** The same by a daemon that runs, of itself. The rules of the database are gone through by its own watch. */
export const examineRunning = (
  config: LoadedConfig,
  call: Api['call'],
  findings: Finding[],
): Promise<readonly Finding[]> =>
  examine(
    () => config,
    async () => ({ where: 'this process', call, close: async () => undefined }),
    WORLDS.filter((world) => world.afterwards === undefined),
    findings,
  )

/** An answer that is a problem leaves the other worlds as they are; where nobody answers there is no use in asking on. */
function unlessRefused(
  looking: Promise<readonly Finding[]> | undefined,
): Promise<readonly Finding[]> | undefined {
  return looking?.catch((error: unknown) => {
    if (!(error instanceof Failure) || typeof error.details.facts?.['status'] !== 'number') throw error
    return [refused(error)]
  })
}

const refused = ({ message }: Failure): Finding =>
  bad('database and API', message, 'Read the message; the log says more.')

/** Also what proves that database and API work: what keeps them from it is found, else nothing. */
async function throughApi(
  open: () => Promise<Api>,
  look: (ask: Ask) => Promise<void>,
): Promise<readonly Finding[]> {
  let api: Api | null = null
  try {
    const opened = (api = await open())
    await look((path) => expectGood(opened, { method: 'GET', path }))
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [refused(error)]
  } finally {
    await api?.close()
  }
}
