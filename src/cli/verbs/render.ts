/** `plumbline render`: the routes file as a deploy of everything would write it, on standard output. */
import { expectGood } from '../api.ts'
import { EXIT } from '../exit-codes.ts'
import type { Verb } from '../verb.ts'

interface Rendered {
  readonly yaml: string
  readonly checksum: string
}

export const render: Verb = {
  name: 'render',
  takes: '',
  help: 'Print the routes file that the database asks for. Writes nothing.',
  options: {},
  async run({ terminal, surroundings, options }) {
    const api = await surroundings.api(options['url'] as string | undefined)
    const rendered = await expectGood<Rendered>(api, { method: 'POST', path: '/api/domains/render' })
    terminal.out(terminal.json ? JSON.stringify(rendered, null, 2) : rendered.yaml.trimEnd())
    return EXIT.ok
  },
}
