/** Looks whether the way in which the SSO provider is restarted can be gone. Nothing is restarted by it. */
import { access, constants } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { dockerContainer } from '../../io/docker/container.ts'
import type { Finding } from '../../cli/verb.ts'
import { providerRestart } from '../../features/sso/provider/restart.ts'
import type { Settings } from '../../config/sections.ts'
import { type Milliseconds, systemClock } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { bad, good, warning } from '../finding.ts'
import { evaluateProgram, evaluateStart } from './evaluate.ts'

const WITHIN_MS: Milliseconds = 10_000
const CHECK = 'SSO restart'

/** @param socket of the Docker Engine */
export async function restartWay(settings: Settings, socket: string): Promise<Finding> {
  const { restart } = providerRestart(settings)
  switch (restart.way) {
    case 'none':
      return warning(
        CHECK,
        'nobody restarts the provider, so new rules are not loaded',
        'Set PLUMBLINE_SSO_RESTART.',
      )
    case 'watched':
      return good(CHECK, 'left to whoever watches the rules file')
    case 'command': {
      const [program = ''] = restart.command
      return evaluateProgram(program, await isProgram(program))
    }
    case 'docker':
      return container(restart.container, socket)
  }
}

async function container(name: string, socket: string): Promise<Finding> {
  const found = dockerContainer(name, socket)
  try {
    return evaluateStart(name, await found.startedAt(AbortSignal.timeout(WITHIN_MS)), systemClock.now())
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return bad(CHECK, error.message, 'Let Plumbline reach the socket, and name the container as Docker does.')
  } finally {
    await found.close()
  }
}

async function isProgram(program: string): Promise<boolean> {
  const folders =
    isAbsolute(program) || program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter)
  const tried = folders.map((folder) => access(join(folder, program), constants.X_OK))
  return (await Promise.allSettled(tried)).some(({ status }) => status === 'fulfilled')
}
