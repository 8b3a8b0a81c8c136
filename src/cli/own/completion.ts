/** `plumbline completion` and `plumbline man`: what a shell completes, and the manual page, both made of the verbs. */
import { EXIT } from '../exit-codes.ts'
import type { Verb, VerbContext } from '../verb.ts'
import { bashScript } from '../shell/bash.ts'
import { fishScript } from '../shell/fish.ts'
import { manPage } from '../shell/man.ts'
import { specOf, type VerbSpec } from '../shell/spec.ts'
import { zshScript } from '../shell/zsh.ts'

const printed =
  (script: (verbs: readonly VerbSpec[]) => string) =>
  async ({ terminal, surroundings }: VerbContext): Promise<number> => {
    const groups = await surroundings.verbs()
    terminal.out(script(groups.flatMap(({ verbs }) => verbs.map(specOf))).trimEnd())
    return EXIT.ok
  }

export const completion: Verb = {
  name: 'completion',
  help: 'Prints the completion for a shell.',
  is_for_pipes: true,
  forms: [
    {
      words: 'bash',
      help: 'For bash: verbs, options, their values, and names of domains.',
      examples: [
        [
          'completion bash | install -D /dev/stdin ~/.local/share/bash-completion/completions/plumbline',
          'For every bash from now on.',
        ],
      ],
      run: printed(bashScript),
    },
    {
      words: 'zsh',
      help: 'For zsh.',
      examples: [
        ['completion zsh | install -D /dev/stdin ~/.zfunc/_plumbline', 'Where ~/.zfunc is in fpath.'],
      ],
      run: printed(zshScript),
    },
    {
      words: 'fish',
      help: 'For fish.',
      examples: [
        [
          'completion fish | install -D /dev/stdin ~/.config/fish/completions/plumbline.fish',
          'For every fish from now on.',
        ],
      ],
      run: printed(fishScript),
    },
  ],
}

export const man: Verb = {
  name: 'man',
  help: 'Prints the manual page.',
  forms: [
    {
      words: '',
      help: 'Prints all of this help as a page for man.',
      examples: [
        ['man | man -l -', 'Shows it.'],
        ['man | install -D -m 644 /dev/stdin /usr/local/share/man/man1/plumbline.1', 'Installs it.'],
      ],
      async run({ terminal, surroundings }) {
        terminal.out(manPage(await surroundings.verbs(), surroundings.version).trimEnd())
        return EXIT.ok
      },
    },
  ],
}
