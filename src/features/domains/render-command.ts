/** `plumbline render`: the routes file as a deploy of everything would write it, on standard output. */
import { expectGood } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import type { Verb } from '../../cli/verb.ts'
import { withApi } from '../../cli/with-api.ts'

interface Rendered {
  readonly yaml: string
  readonly checksum: string
}

export const render: Verb = {
  name: 'render',
  takes: '',
  help: 'Print the routes file that the database asks for. Writes nothing.',
  options: {},
  async run(context) {
    const { terminal } = context
    const rendered = await withApi(context, (api) =>
      expectGood<Rendered>(api, { method: 'POST', path: '/api/domains/render' }),
    )
    terminal.out(terminal.json ? JSON.stringify(rendered, null, 2) : rendered.yaml.trimEnd())
    return EXIT.ok
  },
}
