/** `plumbline render`: the routes file as a deploy of everything would write it, on standard output. */
import type { Verb } from '../../cli/verb.ts'
import { asks } from '../../cli/with-api.ts'

interface Rendered {
  readonly yaml: string
  readonly checksum: string
}

export const render: Verb = {
  name: 'render',
  help: 'Prints the routes file that the database asks for.',
  forms: [
    {
      words: '',
      help: 'Prints the file as a deploy of everything would write it. Writes nothing.',
      examples: [
        ['render | diff data/traefik/routes.yml -', 'Shows what a deploy of everything would change.'],
      ],
      is_long: true,
      run: asks<Rendered>({
        request: () => ({ method: 'POST', path: '/api/domains/render' }),
        text: ({ yaml }, { out }) => out(yaml.trimEnd()),
      }),
    },
  ],
}
