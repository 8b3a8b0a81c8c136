/** `plumbline deploy`: releases one domain's saved edits, or everybody's. */
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import { domainId } from '../find-domain.ts'
import { table } from '../terminal.ts'
import type { Verb } from '../verb.ts'
import type { DeploymentResult } from '../../operations/answers.ts'

export const deploy: Verb = {
  name: 'deploy',
  takes: '[DOMAIN]',
  help: 'Deploy one domain by name or id, or with --all everything that is active.',
  options: { all: { type: 'boolean' } },
  async run({ words, terminal, surroundings, options }) {
    if ((words[0] === undefined) !== (options['all'] === true)) {
      terminal.note('Name one domain, or say --all.')
      return EXIT.usage
    }
    const api = await surroundings.api(options['url'] as string | undefined)
    const path =
      words[0] === undefined ? '/api/deploy-all' : `/api/domains/${await domainId(api, words[0])}/deploy`
    const done = await expectGood<DeploymentResult>(api, { method: 'POST', path })
    if (terminal.json) terminal.out(JSON.stringify(done, null, 2))
    else {
      terminal.out(`${done.message} Release ${done.release}.`)
      for (const line of table(done.components.map(({ component, outcome }) => [component, outcome])))
        terminal.out(`  ${line}`)
      for (const { domain } of done.pending) terminal.out(`  still pending: ${domain}`)
      for (const warning of done.warnings) terminal.note(`warning: ${warning}`)
    }
    return EXIT.ok
  },
}
