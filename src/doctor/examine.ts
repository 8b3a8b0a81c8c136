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

/** @param open the API of the running daemon, or of this process; asked for only where there is a database to open */
export async function examine(
  load: () => LoadedConfig,
  open: (config: LoadedConfig) => Promise<Api>,
  worlds: readonly World[] = WORLDS,
): Promise<readonly Finding[]> {
  const { config, findings } = readSettings(load)
  const first = [evaluateNode(process.versions.node), ...findings]
  if (config === null) return first
  const beside = await inTurn(worlds, ({ beside }) => beside?.(config))
  if (!(await hasDatabase(config))) return [...first, ...beside]
  const asked = await throughApi(
    () => open(config),
    (ask) => inTurn(worlds, (world) => unlessRefused(world.asked?.(ask, config))),
  )
  // The opening of the API brings an older schema up to date and closes what a crash left open.
  const afterwards = await inTurn(worlds, (world) => world.afterwards?.(config))
  return [...first, ...beside, ...asked, ...afterwards]
}

/** The same by a daemon that runs, of itself. The rules of the database are gone through by its own watch. */
export const examineRunning = (config: LoadedConfig, call: Api['call']): Promise<readonly Finding[]> =>
  examine(
    () => config,
    async () => ({ where: 'this process', call, close: async () => undefined }),
    WORLDS.filter((world) => world.afterwards === undefined),
  )

/** One after the other: none is to answer slowly because another one asks, too. */
async function inTurn(
  worlds: readonly World[],
  look: (world: World) => Promise<readonly Finding[]> | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const world of worlds) findings.push(...((await look(world)) ?? []))
  return findings
}

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

/** Also what proves that database and API work. */
async function throughApi(
  open: () => Promise<Api>,
  look: (ask: Ask) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  let api: Api | null = null
  try {
    const opened = (api = await open())
    return await look((path) => expectGood(opened, { method: 'GET', path }))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [refused(error)]
  } finally {
    await api?.close()
  }
}
