/** `plumbline apply`: applies a kept plan exactly as it is, once. */
import { Misuse } from '../../../cli/misuse.ts'
import type { DeploymentResult } from '../../../core/answers.ts'
import { expectGood } from '../../../cli/api.ts'
import { exitCodeAfter } from '../../../cli/exit-codes.ts'
import { tellDeployment } from '../../../cli/tell-deployment.ts'
import type { Verb } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'

export const apply: Verb = {
  name: 'apply',
  takes: 'PLAN',
  help: 'Apply a plan that "plumbline plan" made. Refused when it would do anything else by now.',
  options: { confirm: { type: 'string' } },
  async run(context) {
    const { words, terminal, options } = context
    const [id, ...rest] = words
    if (id === undefined || rest.length > 0) throw new Misuse('Name one plan, as "plumbline plan" tells it.')
    const confirm = options['confirm']
    const body = typeof confirm === 'string' ? { confirm } : {}
    const path = `/api/plans/${encodeURIComponent(id)}/apply`
    const done = await withApi(context, (api) =>
      expectGood<DeploymentResult>(api, { method: 'POST', path, body }),
    )
    tellDeployment(done, terminal)
    return exitCodeAfter(done)
  },
}
