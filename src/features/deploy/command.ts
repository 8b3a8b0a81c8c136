/** `plumbline deploy`: releases one domain's saved edits, or everybody's. */
import { Misuse } from '../../cli/misuse.ts'
import { expectGood } from '../../cli/api.ts'
import { exitCodeAfter } from '../../cli/exit-codes.ts'
import { confirmed } from '../../cli/confirmed.ts'
import { deployPath } from '../../cli/find-domain.ts'
import { tellDeployment } from '../../cli/tell-deployment.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'
import type { DeploymentResult } from '../../core/answers.ts'

export const deploy: Verb = {
  name: 'deploy',
  takes: '[DOMAIN]',
  help: 'Deploy one domain by name or id, or with --all everything that is active.',
  options: { all: { type: 'boolean' }, confirm: { type: 'string' } },
  async run(context) {
    const { words, terminal, options } = context
    if (words.length > 1 || (words[0] === undefined) !== (options['all'] === true))
      throw new Misuse('Name one domain, or say --all.')
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
