/** `plumbline serve` and `plumbline quickstart`: the daemon in the foreground. */
import type { Verb } from '../verb.ts'

export const serve: Verb = {
  name: 'serve',
  help: 'Runs the daemon until it is told to stop.',
  forms: [
    {
      words: '',
      help: 'Keeps the world true and answers the API. Settings are environment variables: "plumbline config" lists them.',
      examples: [['serve', 'Runs it in the foreground; "plumbline install-unit" makes a service of it.']],
      run: ({ surroundings }) => surroundings.serve({ quickstart: false }),
    },
  ],
}

export const quickstart: Verb = {
  name: 'quickstart',
  help: 'Runs the daemon with a sample estate, and says where everything is.',
  forms: [
    {
      words: '',
      help: 'Applies the sample once; it is safe to repeat. Ctrl-C ends it.',
      examples: [['quickstart', 'Something to look at, in one command.']],
      run: ({ surroundings }) => surroundings.serve({ quickstart: true }),
    },
  ],
}
