/** `plumbline deploy`: releases one domain's saved edits, or everybody's. */
import { expectGood } from '../api.ts'
import { EXIT, exitCodeAfter } from '../exit-codes.ts'
import { confirmed } from '../confirmed.ts'
import { deployPath } from '../find-domain.ts'
import { tellDeployment } from '../tell-deployment.ts'
import type { Verb } from '../verb.ts'
import { withApi } from '../with-api.ts'
import type { DeploymentResult } from '../../operations/answers.ts'

export const deploy: Verb = {
  name: 'deploy',
  takes: '[DOMAIN]',
  help: 'Deploy one domain by name or id, or with --all everything that is active.',
  options: { all: { type: 'boolean' }, confirm: { type: 'string' } },
  async run(context) {
    const { words, terminal, options } = context
    if (words.length > 1 || (words[0] === undefined) !== (options['all'] === true)) {
      terminal.note('Name one domain, or say --all.')
      return EXIT.usage
    }
    const done = await withApi(context, async (api) =>
      expectGood<DeploymentResult>(api, {
        method: 'POST',
        path: confirmed(await deployPath(api, words[0]), options),
      }),
    )
    tellDeployment(done, terminal)
    return exitCodeAfter(done)
  },
}
